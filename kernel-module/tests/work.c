// SPDX-License-Identifier: GPL-2.0
/*
 * Work for the module's tests, one scripted cause of migrations a mode:
 *
 *   work spin N MS [CPUS]     N spinning children for MS milliseconds, on CPUS (hex mask)
 *   work herd N MS CPU        N children, all started on CPU and free to move afterwards
 *   work pipe N MS            N pairs that wake each other
 *   work self N               pins itself to one CPU after the other, N times
 *   work queued N             re-pins N times a child that waits behind another
 *   work exec N               execs itself N times in turn
 *   work crowded N            execs N times on a CPU where another task spins
 *   work nap N MS             N children that sleep and work by turns
 *   work exiles N ROUNDS [MS] N tasks that settle with their memory for MS (4000), then are
 *                             moved away for three quarters of that time
 *   work churn N MS           N children that fork, wait, pin themselves and sleep by turns;
 *                             they are called "pinned" while they may not run everywhere
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"

static int spin(int n, long long ms, unsigned long mask)
{
	long long end = now_ms() + ms;

	if (mask)
		pin_mask(0, mask);
	while (n--) {
		if (!child()) {
			spin_until(end);
			_exit(0);
		}
	}
	return wait_all();
}

/* The children are forked on one CPU; what they may use then is up to @mask. */
static int herd(int n, long long ms, int cpu, unsigned long mask)
{
	long long end = now_ms() + ms;

	pin_mask(0, 1ul << cpu);
	while (n--) {
		if (!child()) {
			pin_mask(0, mask);
			spin_until(end);
			_exit(0);
		}
	}
	return wait_all();
}

static int ping(int from, int to, long long end)
{
	char c = 0;

	while (now_ms() < end && write(to, &c, 1) == 1 && read(from, &c, 1) == 1)
		;
	return 0;
}

static int pipe_pairs(int n, long long ms)
{
	long long end = now_ms() + ms;
	int a[2], b[2];

	while (n--) {
		if (pipe(a) || pipe(b))
			return 2;
		if (!child()) {
			close(a[0]);
			close(b[1]);
			_exit(ping(b[0], a[1], end));
		}
		if (!child()) {
			close(a[1]);
			close(b[0]);
			_exit(ping(a[0], b[1], end));
		}
		close(a[0]);
		close(a[1]);
		close(b[0]);
		close(b[1]);
	}
	return wait_all();
}

static int self(int n)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	int i;

	for (i = 0; i < n; i++)
		pin_mask(0, 1ul << (i % nr));
	return 0;
}

/* A spinner runs on each CPU, so a pinned child waits half of its time. */
static int queued(int n)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t victim, pids[64];
	int i;

	for (i = 0; i < nr; i++) {
		pids[i] = child();
		if (!pids[i]) {
			pin_mask(0, 1ul << i);
			spin_until(now_ms() + 600000);
			_exit(0);
		}
	}
	victim = child();
	if (!victim) {
		spin_until(now_ms() + 600000);
		_exit(0);
	}
	for (i = 0; i < n; i++) {
		pin_mask(victim, 1ul << (i % nr));
		usleep(3000);
	}
	kill(victim, SIGKILL);
	for (i = 0; i < nr; i++)
		kill(pids[i], SIGKILL);
	return wait_all();
}

static int exec_self(char **argv, int n)
{
	char left[16];
	char *args[] = { argv[0], "exec", left, NULL };

	if (!n)
		return 0;
	snprintf(left, sizeof(left), "%d", n - 1);
	execv("/proc/self/exe", args);
	perror("execv");
	return 2;
}

static int crowded(int n)
{
	pid_t spinner = child();

	if (!spinner) {
		pin_mask(0, 1);
		spin_until(now_ms() + 600000);
		_exit(0);
	}
	while (n--) {
		if (!child()) {
			pin_mask(0, 1);
			pin_mask(0, all_cpus());
			execl("/proc/self/exe", "work", "exec", "0", NULL);
			_exit(2);
		}
		wait(NULL);
	}
	kill(spinner, SIGKILL);
	return wait_all();
}

static int nap(int n, long long ms)
{
	long long end = now_ms() + ms;
	int i;

	for (i = 0; i < n; i++) {
		if (child())
			continue;
		while (now_ms() < end) {
			spin_until(now_ms() + 2 + i % 5);
			usleep(1000 + 700 * (i % 7));
		}
		_exit(0);
	}
	return wait_all();
}

static int churn(int n, long long ms)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	long long end = now_ms() + ms;
	int i, round;

	for (i = 0; i < n; i++) {
		if (child())
			continue;
		for (round = i; now_ms() < end; round++) {
			if (!child()) {
				spin_until(now_ms() + 2 + round % 4);
				_exit(0);
			}
			spin_until(now_ms() + 1 + round % 3);
			wait_all();
			prctl(PR_SET_NAME, "pinned");
			pin_mask(0, 1ul << (round % nr));
			spin_until(now_ms() + 2);
			pin_mask(0, all_cpus());
			prctl(PR_SET_NAME, "work");
			usleep(500 + 300 * (i % 5));
		}
		_exit(0);
	}
	return wait_all();
}

/*
 * @n tasks that each settle with their memory near a CPU of their own, first and last
 * CPUs first; then the first of them is sent away: to the last CPU, whose task comes in
 * its place, or to a free one of that side if there is one. NUMA balancing should want to undo that.
 */
static int exiles(int n, int rounds, long settle_ms)
{
	const size_t size = 1 << 20;
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t pids[64];
	int i, round;

	for (i = 0; i < n; i++) {
		volatile char *area;
		size_t at;

		pids[i] = child();
		if (pids[i])
			continue;
		pin_mask(0, 1ul << (i % 2 ? nr - 1 - i / 2 : i / 2));
		area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (;;)
			for (at = 0; at < size; at += 64)
				area[at]++;
	}
	for (round = 0; round < rounds; round++) {
		int last = n == nr ? 1 : -1;

		usleep(settle_ms * 1000);
		pin_mask(pids[0], 1ul << (last > 0 ? nr - 1 : nr / 2));
		if (last > 0)
			pin_mask(pids[last], 1);
		pin_mask(pids[0], all_cpus());
		if (last > 0)
			pin_mask(pids[last], all_cpus());
		usleep(settle_ms * 750);
		pin_mask(pids[0], 1);
		if (last > 0)
			pin_mask(pids[last], 1ul << (nr - 1));
	}
	for (i = 0; i < n; i++)
		kill(pids[i], SIGKILL);
	return wait_all();
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;
	long long ms = argc > 3 ? atoll(argv[3]) : 0;
	unsigned long mask = argc > 4 ? strtoul(argv[4], NULL, 16) : 0;

	if (!strcmp(mode, "spin"))
		return spin(n, ms, mask);
	if (!strcmp(mode, "herd"))
		return herd(n, ms, (int)mask, argc > 5 ? strtoul(argv[5], NULL, 16) : all_cpus());
	if (!strcmp(mode, "pipe"))
		return pipe_pairs(n, ms);
	if (!strcmp(mode, "self"))
		return self(n);
	if (!strcmp(mode, "queued"))
		return queued(n);
	if (!strcmp(mode, "exec"))
		return exec_self(argv, n);
	if (!strcmp(mode, "crowded"))
		return crowded(n);
	if (!strcmp(mode, "nap"))
		return nap(n, ms);
	if (!strcmp(mode, "exiles"))
		return exiles(n, ms, argc > 4 ? atol(argv[4]) : 4000);
	if (!strcmp(mode, "churn"))
		return churn(n, ms);
	fprintf(stderr, "work: see the head of work.c\n");
	return 2;
}
