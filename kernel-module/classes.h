/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Classes of waiting tasks: those of one class may run on the same CPUs.
 */
#ifndef CFSLB_CLASSES_H
#define CFSLB_CLASSES_H

#include <linux/cpumask.h>
#include <linux/sched.h>

enum {
	CFSLB_CLASS_UNJUDGED,	/* not the balancer's to move: pinned, throttled, real-time */
	CFSLB_CLASS_ANY,	/* may run on every CPU that is online */
	CFSLB_CLASS_FIRST_MASK,	/* this and above: a set of CPUs of its own */
	CFSLB_NR_CLASSES = 16,
};

int cfslb_classes_init(void);
void cfslb_classes_exit(void);

/* The class of @p, whose run queue is locked. */
unsigned int cfslb_class_of(const struct task_struct *p);

/* Tasks left unjudged because there were more sets of CPUs than classes. */
u64 cfslb_classes_missed(void);

/*
 * The classes that tasks were found in, smallest set of CPUs first, CFSLB_CLASS_ANY
 * last. Return: how many. @order has room for CFSLB_NR_CLASSES.
 */
unsigned int cfslb_classes_order(u8 *order);

/* The CPUs of a class of CFSLB_CLASS_ANY or above. */
const struct cpumask *cfslb_class_cpus(unsigned int class);

#endif
