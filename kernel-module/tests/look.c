// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at the module's files for its tests, more closely than a shell can:
 *
 *   look count DIR FILES mark, or read FILE PREFIX
 *                             how many events ftrace (in DIR) has seen, and, of the same
 *                             moment, what cfslb (in FILES) counts: the columns of FILE
 *                             whose names begin with PREFIX; fair: all reasons but rt_dl
 *   look schedstat FILES      of a moment without a balancing pass: calls, balanced, failed,
 *                             no_group, no_queue by /proc/schedstat and by cfslb, and what cfslb
 *                             cannot explain
 *   look write FILE HEX...    one write() of these bytes after the other; prints 0 or the errno
 *   look snapshot FILE        checks the layout; prints the sum of each table
 *   look time FILES           per file: us of CPU time to read it at not more than a ns per
 *                             instruction, best of 5, bytes, name
 *   look calls                function calls and TLB flushes that all CPUs were asked for
 *   look interrupts [FILES]   reads all files ten times; prints how many of these there were
 *                             meanwhile
 *   look fail N KO PARAMETERS loads a module while the Nth allocation fails (0: none); prints
 *                             0 or the errno, and how many allocations short of N it was
 *   look open FILE [HEX]      as user and group nobody opens FILE and reads it to its end, or
 *                             writes these bytes; prints 0 or the errno
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "../uapi/cfslb.h"

/* Events written to the trace buffers of all CPUs. */
static long long traced(const char *dir)
{
	long nr = sysconf(_SC_NPROCESSORS_CONF), cpu;
	long long total = 0, n;
	char path[128], line[128];

	for (cpu = 0; cpu < nr; cpu++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/per_cpu/cpu%ld/stats", dir, cpu);
		f = fopen(path, "r");
		if (!f)
			continue;
		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "entries: %lld", &n) == 1 ||
			    sscanf(line, "overrun: %lld", &n) == 1)
				total += n;
		fclose(f);
	}
	return total;
}

static bool is_wanted(const char *name, const char *prefix)
{
	if (!strcmp(prefix, "fair"))
		return strcmp(name, "cpu") && strcmp(name, "node") && strcmp(name, "rt_dl");
	return !strncmp(name, prefix, strlen(prefix));
}

static long long counted_in(const char *files, const char *file, const char *prefix)
{
	char path[128], line[4096], *rest, *word;
	bool wanted[64] = { false };
	int column, row = 0;
	long long total = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", files, file);
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		rest = line;
		row++;
		for (column = 0; column < 64 && (word = strsep(&rest, "\t\n")); column++) {
			if (row == 2)
				wanted[column] = *word && is_wanted(word, prefix);
			if (row > 2 && wanted[column])
				total += atoll(word);
		}
	}
	fclose(f);
	return total;
}

/* No event happens between two looks at ftrace: what is between them is exact. */
static int count(const char *dir, const char *files, char **what)
{
	char path[128];
	int try, fd;

	snprintf(path, sizeof(path), "%s/control", files);
	for (try = 0; try < 1000; try++) {
		long long before = traced(dir), counted = 0;

		if (!strcmp(what[0], "mark")) {
			fd = open(path, O_WRONLY);
			if (fd < 0 || write(fd, "mark", 4) != 4)
				return 2;
			close(fd);
		} else {
			counted = counted_in(files, what[1], what[2]);
		}
		if (traced(dir) == before) {
			printf("%lld %lld\n", before, counted);
			return 0;
		}
	}
	fprintf(stderr, "events do not pause\n");
	return 1;
}

enum { CALLS, BALANCED, FAILED, NO_GROUP, NO_QUEUE, NR_PASSES };

/*
 * Of all domains: 8 fields a type of pass, in three groups, follow name and CPUs (since
 * version 15 of schedstat).
 */
static void schedstat(long long *sums)
{
	static const int field[NR_PASSES] = { 0, 1, 2, 7, 6 };
	enum { GROUP = 8, TYPES = 3, LABELS = 2 };
	char line[1024], *rest, *word;
	FILE *f = fopen("/proc/schedstat", "r");
	int column, i;

	memset(sums, 0, NR_PASSES * sizeof(*sums));
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "domain", 6))
			continue;
		rest = line;
		for (column = -LABELS; column < GROUP * TYPES && (word = strsep(&rest, " ")); column++)
			for (i = 0; column >= 0 && i < NR_PASSES; i++)
				if (column % GROUP == field[i])
					sums[i] += atoll(word);
	}
	if (f)
		fclose(f);
}

static const char *const pass_names[NR_PASSES + 1] = {
	"calls", "balanced", "failed", "no_group", "no_queue", "unexplained",
};

/* The same columns of cfslb, in one reading. */
static void lb_sums(const char *files, long long *sums)
{
	char path[128], line[4096], *rest, *word;
	int at[64], column, i, row = 0;
	FILE *f;

	memset(sums, 0, (NR_PASSES + 1) * sizeof(*sums));
	snprintf(path, sizeof(path), "%s/lb", files);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		rest = line;
		row++;
		for (column = 0; column < 64 && (word = strsep(&rest, "\t\n")); column++) {
			if (row == 2) {
				at[column] = -1;
				for (i = 0; i <= NR_PASSES; i++)
					if (!strcmp(word, pass_names[i]))
						at[column] = i;
			} else if (row > 2 && at[column] >= 0) {
				sums[at[column]] += atoll(word);
			}
		}
	}
	if (f)
		fclose(f);
}

/* A reading between two equal ones of the kernel is of their moment. */
static int passes(const char *files)
{
	long long before[NR_PASSES], after[NR_PASSES], ours[NR_PASSES + 1];
	int try, i;

	for (try = 0; try < 2000; try++) {
		schedstat(before);
		lb_sums(files, ours);
		schedstat(after);
		if (memcmp(before, after, sizeof(before)))
			continue;
		for (i = 0; i < NR_PASSES; i++)
			printf("%s %lld %lld\n", pass_names[i], before[i], ours[i]);
		printf("%s 0 %lld\n", pass_names[i], ours[i]);
		return 0;
	}
	fprintf(stderr, "passes do not pause\n");
	return 1;
}

static size_t from_hex(const char *hex, char *to)
{
	size_t len = strlen(hex) / 2, i;
	unsigned int byte;

	for (i = 0; i < len; i++) {
		sscanf(hex + 2 * i, "%2x", &byte);
		to[i] = byte;
	}
	return len;
}

static int write_hex(const char *path, char **hex)
{
	static char bytes[65536];
	int fd = open(path, O_WRONLY);

	if (fd < 0) {
		printf("%d\n", errno);
		return 0;
	}
	for (; *hex; hex++)
		printf("%d\n", write(fd, bytes, from_hex(*hex, bytes)) < 0 ? errno : 0);
	close(fd);
	return 0;
}

/* Little endian hosts only, as those that the tests run on. */
static int snapshot(const char *path)
{
	static char buf[64 << 20];
	const struct cfslb_snapshot_header *header = (void *)buf;
	FILE *f = fopen(path, "r");
	size_t len = f ? fread(buf, 1, sizeof(buf), f) : 0;
	size_t end;
	unsigned int i;

	if (len < sizeof(*header) || header->magic != CFSLB_SNAPSHOT_MAGIC ||
	    header->abi != CFSLB_ABI || header->file_size != len) {
		fprintf(stderr, "no snapshot, or not the whole of it\n");
		return 1;
	}
	end = header->header_size + header->nr_tables * header->table_size;
	for (i = 0; i < header->nr_tables; i++) {
		const struct cfslb_snapshot_table *table =
			(void *)(buf + header->header_size + i * header->table_size);
		const __u64 *cells = (void *)(buf + table->offset);
		size_t nr = (size_t)table->rows * table->cols;
		unsigned long long sum = 0;

		if (table->id != i || table->offset % 8 || table->offset + 8 * nr > len ||
		    table->offset < end) {
			fprintf(stderr, "table %u lies outside\n", i);
			return 1;
		}
		while (nr--)
			sum += *cells++;
		printf("%u %u %u %u %llu\n", table->id, table->rows, table->cols, table->flags, sum);
	}
	return 0;
}

static const char *const names[] = {
	"info", "caps", "schema", "migrate", "distance", "matrix", "place", "lb", "newidle",
	"nohz", "numa", "waste", "waitlat", "snapshot",
};

#define NR_NAMES (sizeof(names) / sizeof(*names))

/* Return: bytes, or -1. */
static long read_all(const char *files, const char *name)
{
	static char buf[1 << 16];
	char path[128];
	long total = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", files, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	while ((got = read(fd, buf, sizeof(buf))) > 0)
		total += got;
	close(fd);
	return got < 0 ? -1 : total;
}

static long long cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* Four instructions, one of them a load, take so many ns. */
static double four_ns(void)
{
	enum { WORDS = 4096, ROUNDS = 200 };
	static volatile long words[WORDS];
	long long start = cpu_ns();
	long i, round, sum = 0;

	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < WORDS; i++)
			sum += words[i];
	return (double)(cpu_ns() - start) / (WORDS * ROUNDS) + 0 * sum;
}

static int times(const char *files)
{
	double scale = four_ns() / 4;
	unsigned int i, try;

	/* No processor is as slow as that; an emulated one may be slower. */
	if (scale < 1)
		scale = 1;

	for (i = 0; i < NR_NAMES; i++) {
		long long best = -1, start;
		long bytes = 0;

		for (try = 0; try < 5; try++) {
			start = cpu_ns();
			bytes = read_all(files, names[i]);
			if (bytes < 0)
				return 1;
			if (best < 0 || cpu_ns() - start < best)
				best = cpu_ns() - start;
		}
		printf("%.0f %ld %s (%lld us here)\n", best / 1000 / scale, bytes, names[i],
		       best / 1000);
	}
	return 0;
}

/* Function calls and TLB flushes of all CPUs, out of /proc/interrupts. */
static long long nr_calls(void)
{
	static char line[1 << 16];
	long long total = 0;
	FILE *f = fopen("/proc/interrupts", "r");

	while (f && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, "CAL:"), *end;

		if (!at)
			at = strstr(line, "TLB:");
		for (at = at ? at + 4 : line; ; at = end) {
			long long n = strtoll(at, &end, 10);

			if (end == at || at == line)
				break;
			total += n;
		}
	}
	if (f)
		fclose(f);
	return total;
}

static int interrupts(const char *files)
{
	long long before = nr_calls(), end = cpu_ns() + 100000000;
	unsigned int i, round;

	for (round = 0; files && round < 10; round++)
		for (i = 0; i < NR_NAMES; i++)
			read_all(files, names[i]);
	/* A busy CPU asks idle ones to balance: be as busy. */
	while (!files && cpu_ns() < end)
		;
	printf("%lld\n", nr_calls() - before);
	return 0;
}

/*
 * No shell and no exec between the order to fail and the load: they would use it up. In
 * the thread's own folder, not the process's: what is ordered is about one thread.
 */
static int fail_load(const char *nth, const char *path, const char *parameters)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), order, err;
	char left[16] = "";

	order = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fd < 0 || (order < 0 && strcmp(nth, "0"))) {
		perror("look fail");
		return 2;
	}
	if (order >= 0 && write(order, nth, strlen(nth)) < 0)
		return 2;
	err = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	if (order >= 0 && (pread(order, left, sizeof(left) - 1, 0) < 0 ||
			   write(order, "0", 1) != 1))
		return 2;
	printf("%d %d\n", err, atoi(left));
	return 0;
}

/* What a user gets who is not root. */
static int open_as_nobody(const char *path, const char *hex)
{
	const unsigned int nobody = 65534;
	static char buf[1 << 16];
	ssize_t got;
	int fd;

	if (syscall(SYS_setgroups, 0, NULL) || setgid(nobody) || setuid(nobody))
		return 2;
	fd = open(path, hex ? O_WRONLY : O_RDONLY);
	if (fd < 0) {
		printf("%d\n", errno);
		return 0;
	}
	if (hex)
		got = write(fd, buf, from_hex(hex, buf));
	else
		while ((got = read(fd, buf, sizeof(buf))) > 0)
			;
	printf("%d\n", got < 0 ? errno : 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "count") && (argc == 7 || (argc == 5 && !strcmp(argv[4], "mark"))))
		return count(argv[2], argv[3], argv + 4);
	if (!strcmp(mode, "schedstat") && argc > 2)
		return passes(argv[2]);
	if (!strcmp(mode, "snapshot") && argc > 2)
		return snapshot(argv[2]);
	if (!strcmp(mode, "write") && argc > 3)
		return write_hex(argv[2], argv + 3);
	if (!strcmp(mode, "time") && argc > 2)
		return times(argv[2]);
	if (!strcmp(mode, "calls"))
		return printf("%lld\n", nr_calls()) < 0;
	if (!strcmp(mode, "interrupts"))
		return interrupts(argc > 2 ? argv[2] : NULL);
	if (!strcmp(mode, "fail") && argc > 4)
		return fail_load(argv[2], argv[3], argv[4]);
	if (!strcmp(mode, "open") && argc > 2)
		return open_as_nobody(argv[2], argc > 3 ? argv[3] : NULL);
	fprintf(stderr, "look: see the head of look.c\n");
	return 2;
}
