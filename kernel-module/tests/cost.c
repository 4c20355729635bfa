// SPDX-License-Identifier: GPL-2.0
/*
 * Work for the test "cost" of which the events are known, and a stopwatch. Each prints
 * how many ns it took; in replay that is instructions, of all CPUs together.
 *
 *   cost time COMMAND ARGS...  runs a command, whose output is dropped
 *   cost move N A B            a task moves N times between CPUs A and B: sched_setaffinity()
 *   cost fork N A              N tasks are born on CPU A, one after the other; vfork(), which
 *                              copies nothing
 *   cost pipe N A B            N round trips of a byte between a task on CPU A and one on B
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("cost: sched_setaffinity");
		exit(2);
	}
}

static int timed(char **command)
{
	long long start = now_ns();
	pid_t child = fork();
	int status;

	if (!child) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		return 1;
	printf("%lld\n", now_ns() - start);
	return 0;
}

static int move(long n, int a, int b)
{
	long long start;
	long i;

	pin(a);
	start = now_ns();
	for (i = 0; i < n; i++)
		pin(i % 2 ? a : b);
	printf("%lld\n", now_ns() - start);
	return 0;
}

static int births(long n, int cpu)
{
	long long start;
	long i;

	pin(cpu);
	start = now_ns();
	for (i = 0; i < n; i++) {
		pid_t child = vfork();

		if (!child)
			_exit(0);
		if (child < 0 || waitpid(child, NULL, 0) != child)
			return 1;
	}
	printf("%lld\n", now_ns() - start);
	return 0;
}

static int ping_pong(long n, int a, int b)
{
	int there[2], back[2];
	long long start = 0;
	char byte = 0;
	long i;

	if (pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		pin(b);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1 && !byte)
			;
		_exit(0);
	}
	pin(a);
	for (i = 0; i <= n; i++) {
		/* The first one is for the other task to get to its CPU. */
		if (i == 1)
			start = now_ns();
		byte = i == n;
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			return 1;
	}
	printf("%lld\n", now_ns() - start);
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;
	int a = argc > 3 ? atoi(argv[3]) : 0, b = argc > 4 ? atoi(argv[4]) : 0;

	if (argc > 2 && !strcmp(argv[1], "time"))
		return timed(argv + 2);
	if (argc == 5 && !strcmp(argv[1], "move"))
		return move(n, a, b);
	if (argc == 4 && !strcmp(argv[1], "fork"))
		return births(n, a);
	if (argc == 5 && !strcmp(argv[1], "pipe"))
		return ping_pong(n, a, b);
	fprintf(stderr, "cost: time COMMAND, move N A B, fork N A, pipe N A B\n");
	return 2;
}
