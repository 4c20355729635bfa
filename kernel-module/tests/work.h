/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs that make work for the tests share.
 */
#ifndef CFSLB_TESTS_WORK_H
#define CFSLB_TESTS_WORK_H

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static inline void pin_mask(pid_t pid, unsigned long mask)
{
	cpu_set_t set;
	int cpu;

	CPU_ZERO(&set);
	for (cpu = 0; cpu < 64; cpu++)
		if (mask >> cpu & 1)
			CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		perror("sched_setaffinity");
}

static inline unsigned long all_cpus(void)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	return nr >= 64 ? ~0ul : (1ul << nr) - 1;
}

static inline void spin_until(long long end)
{
	volatile unsigned long i;

	do {
		for (i = 0; i < 20000; i++)
			;
	} while (now_ms() < end);
}

static inline pid_t child(void)
{
	pid_t pid = fork();

	if (pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static inline int wait_all(void)
{
	while (wait(NULL) > 0)
		;
	return 0;
}

#endif
