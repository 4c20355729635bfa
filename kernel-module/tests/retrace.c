// SPDX-License-Identifier: GPL-2.0
/*
 * Works out waste from a trace, independently of the module:
 *
 *   retrace TRACE FROM_NS TO_NS COMM
 *
 * TRACE is ftrace's text of sched_switch, sched_wakeup, sched_wakeup_new and
 * sched_migrate_task with the clock "perf", which is the module's. Tasks named COMM
 * must be free to run on every CPU; only they are judged. Prints CPU nanoseconds.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 256
#define MAX_PIDS 65536

enum state { GONE, RUNS, WAITS };

static struct {
	enum state state;
	int cpu;
	bool judged;
} tasks[MAX_PIDS];

static struct {
	bool seen, idle;
} cpus[MAX_CPUS];

static int nr_cpus;
static long last_pid;
static long long from, to, last, waste;

/* Idle CPUs without a queue, and judged tasks that wait where another one runs. */
static int wasted(void)
{
	int queued[MAX_CPUS] = { 0 }, idle = 0, waiting = 0, i;

	for (i = 1; i <= last_pid; i++) {
		if (tasks[i].state != WAITS)
			continue;
		queued[tasks[i].cpu]++;
		if (tasks[i].judged && !cpus[tasks[i].cpu].idle)
			waiting++;
	}
	for (i = 0; i < nr_cpus; i++)
		idle += cpus[i].idle && !queued[i];
	return idle < waiting ? idle : waiting;
}

static void advance(long long now)
{
	long long begin = last > from ? last : from, end = now < to ? now : to;

	if (end > begin)
		waste += (end - begin) * wasted();
	last = now;
}

static long field(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	return at ? strtol(at + strlen(name), NULL, 10) : 0;
}

static long pid_field(const char *line, const char *name)
{
	long pid = field(line, name);

	if (pid < 0 || pid >= MAX_PIDS)
		exit(3);
	if (pid > last_pid)
		last_pid = pid;
	return pid;
}

static bool has_comm(const char *line, const char *name, const char *comm)
{
	const char *at = strstr(line, name);
	size_t len = strlen(comm);

	return at && !strncmp(at + strlen(name), comm, len) && at[strlen(name) + len] == ' ';
}

static void wakes(const char *line, const char *comm)
{
	long pid = pid_field(line, " pid="), cpu = field(line, "target_cpu=");

	if (tasks[pid].state != GONE)
		return;
	tasks[pid].state = WAITS;
	tasks[pid].cpu = cpu;
	tasks[pid].judged = has_comm(line, ": comm=", comm);
}

static void switches(const char *line, int cpu, const char *comm)
{
	long prev = pid_field(line, "prev_pid="), next = pid_field(line, "next_pid=");
	const char *state = strstr(line, "prev_state=") + strlen("prev_state=");

	if (prev) {
		tasks[prev].state = *state == 'R' ? WAITS : GONE;
		tasks[prev].cpu = cpu;
		tasks[prev].judged = has_comm(line, "prev_comm=", comm);
	}
	if (next) {
		tasks[next].state = RUNS;
		tasks[next].cpu = cpu;
	}
	cpus[cpu].idle = !next;
}

/* The first switch of a CPU tells what it did before; one without any was idle. */
static void first_states(FILE *f)
{
	char line[512];
	int cpu, i;

	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %*[^[][%d]", &cpu) != 1 || cpu >= MAX_CPUS)
			continue;
		if (cpu >= nr_cpus)
			nr_cpus = cpu + 1;
		if (cpus[cpu].seen || !strstr(line, " sched_switch: "))
			continue;
		cpus[cpu].seen = true;
		cpus[cpu].idle = !field(line, "prev_pid=");
	}
	for (i = 0; i < nr_cpus; i++)
		if (!cpus[i].seen)
			cpus[i].idle = true;
	rewind(f);
}

static void replay(FILE *f, const char *comm)
{
	long long seconds, micros;
	char line[512];
	int cpu;

	while (fgets(line, sizeof(line), f)) {
		const char *at = strchr(line, ']');

		if (sscanf(line, " %*[^[][%d]", &cpu) != 1 || cpu >= MAX_CPUS || !at)
			continue;
		if (sscanf(at, "] %*s %lld.%lld:", &seconds, &micros) != 2)
			continue;
		advance(seconds * 1000000000 + micros * 1000);
		if (strstr(line, " sched_switch: "))
			switches(line, cpu, comm);
		else if (strstr(line, " sched_wakeup: ") || strstr(line, " sched_wakeup_new: "))
			wakes(line, comm);
		else if (strstr(line, " sched_migrate_task: ") &&
			 tasks[pid_field(line, " pid=")].state == WAITS)
			tasks[pid_field(line, " pid=")].cpu = field(line, "dest_cpu=");
	}
}

int main(int argc, char **argv)
{
	FILE *f = argc == 5 ? fopen(argv[1], "r") : NULL;

	if (!f) {
		fprintf(stderr, "usage: retrace TRACE FROM_NS TO_NS COMM\n");
		return 2;
	}
	from = atoll(argv[2]);
	to = atoll(argv[3]);
	first_states(f);
	replay(f, argv[4]);
	advance(to);
	printf("%lld\n", waste);
	return 0;
}
