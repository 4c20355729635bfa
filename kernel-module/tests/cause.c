// SPDX-License-Identifier: GPL-2.0
/*
 * One cause of migrations a mode, and as far as possible no other: tasks may run on
 * two CPUs only, and what else must run is pinned.
 *
 *   cause wake N           wakes N times a task whose last CPU is busy then
 *   cause exec N           N execs on a CPU where another task spins
 *   cause newidle N        N tasks that spin end at different times
 *   cause idle N           N tasks queue on CPU 0; of all CPUs only CPU 1 is idle
 *   cause busy N           N times some tasks queue on CPU 0; no CPU is idle
 *   cause nohz N           N tasks queue on CPU 0 that may run on the last CPU but one
 *                          only besides; it sleeps without tick, as do others
 *   cause active N         N tasks run on CPU 0, with one that waits and may not move
 *   cause offline N        N times tasks run on CPU 3, which goes offline
 *   cause core N           N times a task waits that has the cookie of a core's task
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "work.h"

#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#define PR_SCHED_CORE_CREATE 1
#define PR_SCHED_CORE_SHARE_FROM 3
#endif

#define FOREVER_MS 600000
#define ROUND_MS 400 /* what does not come in this time does not come */

static long nr_cpus;
static volatile int *shared; /* with the children */

static void pause_us(long us)
{
	usleep(us);
}

/* All is set up: what happened so far does not count, and is not in the trace TRACE/trace. */
static void begin(void)
{
	const char *trace = getenv("TRACE");
	char path[128];
	int fd;

	pause_us(20000);
	fd = open("/sys/kernel/debug/cfslb/control", O_WRONLY);
	if (fd < 0)
		return;
	if (write(fd, "mark", 4) != 4)
		exit(2);
	close(fd);
	snprintf(path, sizeof(path), "%s/trace", trace ? trace : "");
	close(open(path, O_WRONLY | O_TRUNC));
}

/*
 * A task that spins on @mask, born on the caller's CPU. It has its mask and its weight
 * before it runs.
 */
static pid_t spinner(unsigned long mask, int nice_level)
{
	pid_t pid = child();

	if (!pid) {
		spin_until(now_ms() + FOREVER_MS);
		_exit(0);
	}
	setpriority(PRIO_PROCESS, pid, nice_level);
	pin_mask(pid, mask);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) == pid)
		return;
	/* The mother's: the kernel buries it. */
	while (!kill(pid, 0))
		pause_us(500);
}

/* Bears spinners on CPU 0, which it leaves alone otherwise. */
static struct {
	int ask[2], answer[2];
} mother;

static void start_mother(void)
{
	unsigned long mask;

	if (pipe(mother.ask) || pipe(mother.answer))
		exit(2);
	if (child())
		return;
	pin_mask(0, 1);
	signal(SIGCHLD, SIG_IGN);
	while (read(mother.ask[0], &mask, sizeof(mask)) == sizeof(mask)) {
		pid_t pid = spinner(mask, 0);

		if (write(mother.answer[1], &pid, sizeof(pid)) != sizeof(pid))
			break;
	}
	_exit(0);
}

static pid_t born_on_0(unsigned long mask)
{
	pid_t pid;

	if (write(mother.ask[1], &mask, sizeof(mask)) != sizeof(mask) ||
	    read(mother.answer[0], &pid, sizeof(pid)) != sizeof(pid))
		exit(2);
	return pid;
}

/* The CPU that a task runs on or waits for. */
static int cpu_of(pid_t pid)
{
	char path[64], text[512], *at;
	int cpu = -1, field;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return -1;
	at = fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	/* Behind the name, field 3 is next; the CPU is field 39. */
	for (field = 2; at && field < 39; field++)
		at = strchr(at + 1, ' ');
	if (at)
		cpu = atoi(at);
	fclose(f);
	return cpu;
}

/* Until the task leaves @cpu, or it is clear that it does not. */
static void await_leave(pid_t pid, int cpu)
{
	long long limit = now_ms() + ROUND_MS;

	while (cpu_of(pid) == cpu && now_ms() < limit)
		pause_us(1000);
}

/* Something pinned runs on each CPU of @mask, all the time. */
static void fill(unsigned long mask, int nice_level)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		if (mask >> cpu & 1)
			spinner(1ul << cpu, nice_level);
}

static void spin_while(volatile int *flag)
{
	while (*flag)
		;
}

/* Sleeps until told to, then spins on @cpu until told not to. */
static pid_t blocker(int cpu, volatile int *on, int *go)
{
	pid_t pid;
	char c;

	if (pipe(go))
		exit(2);
	pid = child();
	if (pid)
		return pid;
	pin_mask(0, 1ul << cpu);
	while (read(go[0], &c, 1) == 1)
		spin_while(on);
	_exit(0);
}

static int wake(int n)
{
	volatile int *at = shared, *on = shared + 1;
	int go[2][2], wake_up[2], asleep[2];
	char c = 0;

	blocker(0, &on[0], go[0]);
	blocker(1, &on[1], go[1]);
	if (pipe(wake_up) || pipe(asleep))
		return 2;
	if (!child()) {
		pin_mask(0, 3);
		do {
			*at = sched_getcpu();
		} while (write(asleep[1], &c, 1) == 1 && read(wake_up[0], &c, 1) == 1);
		_exit(0);
	}
	begin();
	while (n--) {
		int cpu;

		if (read(asleep[0], &c, 1) != 1)
			return 2;
		pause_us(300);
		cpu = *at;
		on[cpu] = 1;
		if (write(go[cpu][1], &c, 1) != 1)
			return 2;
		pause_us(300);
		if (write(wake_up[1], &c, 1) != 1)
			return 2;
		pause_us(700);
		on[cpu] = 0;
	}
	return 0;
}

static int exec(int n)
{
	pin_mask(0, 1);
	fill(1, 0);
	begin();
	while (n--) {
		if (!child()) {
			pin_mask(0, all_cpus());
			execl("/proc/self/exe", "cause", "none", "0", NULL);
			_exit(2);
		}
		while (waitpid(-1, NULL, WNOHANG) == 0)
			pause_us(2000);
	}
	return 0;
}

/* Tasks that never sleep end at different times: CPUs run out of work. */
static int newidle(int n)
{
	begin();
	while (n--) {
		if (child())
			continue;
		pin_mask(0, all_cpus());
		spin_until(now_ms() + 10 + n * 7 % 300);
		_exit(0);
	}
	return wait_all();
}

/*
 * Each round @many tasks are born on CPU 0 and may leave it for @to, at once or when they
 * have run for @after_us. Between rounds @rest_us go by.
 */
static int queue_up(int n, int many, int to, long after_us, long rest_us)
{
	start_mother();
	begin();
	while (n--) {
		pid_t pids[8];
		int i;

		for (i = 0; i < many; i++)
			pids[i] = born_on_0(after_us ? 1 : 1 | 1ul << to);
		if (after_us) {
			pause_us(after_us);
			pin_mask(pids[0], 1 | 1ul << to);
		}
		await_leave(pids[0], 0);
		for (i = 0; i < many; i++)
			end(pids[i]);
		pause_us(rest_us);
	}
	return 0;
}

static int idle(int n)
{
	/* Those on CPU 0 must not find their own queue empty: a heavier task runs there. */
	fill(all_cpus() & ~3ul, 0);
	fill(1, -5);
	return queue_up(n, 1, 1, 0, 20000);
}

static int busy(int n)
{
	fill(all_cpus(), 0);
	return queue_up(n, 6, 1, 0, 1000);
}

static int nohz(int n)
{
	fill(1, -5);
	/* A task that ended keeps its CPU's tick alive for as long as RCU takes. */
	return queue_up(n, 1, nr_cpus - 2, 0, 100000);
}

static int active(int n)
{
	struct sched_param param = { 0 };
	pid_t pid;

	pid = spinner(1, 19);
	sched_setscheduler(pid, SCHED_IDLE, &param);
	return queue_up(n, 1, 1, 5000, 3000);
}

static void set_online(int cpu, char value)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, &value, 1) != 1)
		exit(2);
	close(fd);
}

/* CPU 1 has as much to do as CPU 3, so that none of the tasks wants to leave it before. */
static int offline(int n)
{
	const int many = 5;

	begin();
	while (n--) {
		pid_t pids[16];
		int i;

		for (i = 0; i <= many; i++)
			pids[many + i] = spinner(2, 0);
		pin_mask(0, 8);
		for (i = 0; i < many; i++)
			pids[i] = spinner(8 | 2, 0);
		pin_mask(0, 1ul << (nr_cpus - 1));
		set_online(3, '0');
		for (i = 0; i <= 2 * many; i++)
			end(pids[i]);
		set_online(3, '1');
	}
	return 0;
}

/* Where threads of a core are 0 and 1: A runs on 0; C, queued on 2, has its cookie. */
static int core(int n)
{
	pid_t a;

	pin_mask(0, 1);
	a = spinner(1, 0);
	if (prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, a, 0, 0)) {
		perror("PR_SCHED_CORE_CREATE");
		end(a);
		return 4;
	}
	pin_mask(0, 4);
	spinner(4, -20);
	begin();
	while (n--) {
		pid_t b = child();

		if (!b) {
			prctl(PR_SCHED_CORE, PR_SCHED_CORE_SHARE_FROM, a, 0, 0);
			pin_mask(0, 4 | 2);
			spin_until(now_ms() + FOREVER_MS);
			_exit(0);
		}
		await_leave(b, 2);
		end(b);
		pause_us(1000);
	}
	return 0;
}

static const struct {
	const char *name;
	int (*run)(int n);
} modes[] = {
	{ "wake", wake }, { "exec", exec }, { "newidle", newidle }, { "idle", idle },
	{ "busy", busy }, { "nohz", nohz }, { "active", active }, { "offline", offline },
	{ "core", core },
};

int main(int argc, char **argv)
{
	unsigned int i;

	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc < 3 || shared == MAP_FAILED)
		return 2;
	if (!strcmp(argv[1], "none"))
		return 0;
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[1], modes[i].name))
			return modes[i].run(atoi(argv[2]));
	return 2;
}
