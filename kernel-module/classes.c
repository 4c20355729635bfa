// SPDX-License-Identifier: GPL-2.0
/*
 * Classes of waiting tasks. Machines have few different affinities (cpusets, a
 * container each), so each set of CPUs gets a number when it is first seen and
 * keeps it until unload.
 */
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/spinlock.h>
#include "classes.h"
#include "compat_task.h"

static struct {
	raw_spinlock_t lock;	/* orders writers */
	unsigned int nr;	/* classes in use; grows only, read without the lock */
	cpumask_var_t cpus[CFSLB_NR_CLASSES];
	u8 order[CFSLB_NR_CLASSES];
	atomic64_t missed;
} table = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(table.lock),
};

int cfslb_classes_init(void)
{
	int i;

	for (i = CFSLB_CLASS_FIRST_MASK; i < CFSLB_NR_CLASSES; i++) {
		if (!zalloc_cpumask_var(&table.cpus[i], GFP_KERNEL)) {
			cfslb_classes_exit();
			return -ENOMEM;
		}
	}
	table.nr = CFSLB_CLASS_FIRST_MASK;
	table.order[0] = CFSLB_CLASS_ANY;
	return 0;
}

void cfslb_classes_exit(void)
{
	int i;

	for (i = CFSLB_CLASS_FIRST_MASK; i < CFSLB_NR_CLASSES; i++)
		free_cpumask_var(table.cpus[i]);
}

u64 cfslb_classes_missed(void)
{
	return atomic64_read(&table.missed);
}

const struct cpumask *cfslb_class_cpus(unsigned int class)
{
	return class == CFSLB_CLASS_ANY ? cpu_possible_mask : table.cpus[class];
}

static unsigned int find(const struct cpumask *cpus, unsigned int from, unsigned int nr)
{
	for (; from < nr; from++)
		if (cpumask_equal(cpus, table.cpus[from]))
			break;
	return from;
}

/* Before all classes with a larger set; the lock is held. */
static void insert(unsigned int class)
{
	unsigned int weight = cpumask_weight(table.cpus[class]);
	unsigned int at = table.nr - 1;	/* the number of ordered classes */

	while (at && cpumask_weight(cfslb_class_cpus(table.order[at - 1])) >= weight) {
		table.order[at] = table.order[at - 1];
		at--;
	}
	table.order[at] = class;
}

static unsigned int add(const struct cpumask *cpus, unsigned int seen)
{
	unsigned int class;

	raw_spin_lock(&table.lock);
	class = find(cpus, seen, table.nr);
	if (class == table.nr && class < CFSLB_NR_CLASSES) {
		cpumask_copy(table.cpus[class], cpus);
		insert(class);
		/* Pairs with cfslb_class_of(): the set is complete before it counts. */
		smp_store_release(&table.nr, class + 1);
	}
	raw_spin_unlock(&table.lock);
	if (class < CFSLB_NR_CLASSES)
		return class;
	atomic64_inc(&table.missed);
	return CFSLB_CLASS_UNJUDGED;
}

unsigned int cfslb_class_of(const struct task_struct *p)
{
	unsigned int nr, class;

	if (cfslb_task_rt(p) || cfslb_task_pinned(p) || cfslb_task_throttled(p))
		return CFSLB_CLASS_UNJUDGED;
	if (p->nr_cpus_allowed >= num_possible_cpus() ||
	    cpumask_subset(cpu_online_mask, p->cpus_ptr))
		return CFSLB_CLASS_ANY;
	/* Pairs with add(). */
	nr = smp_load_acquire(&table.nr);
	class = find(p->cpus_ptr, CFSLB_CLASS_FIRST_MASK, nr);
	return class < nr ? class : add(p->cpus_ptr, nr);
}

unsigned int cfslb_classes_order(u8 *order)
{
	unsigned int nr;

	raw_spin_lock(&table.lock);
	nr = table.nr - 1;
	memcpy(order, table.order, nr);
	raw_spin_unlock(&table.lock);
	return nr;
}
