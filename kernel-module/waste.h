/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waste: CPUs that were idle while a task that they could have run waited
 * elsewhere. At each moment it is the number of idle CPUs that could be given a
 * waiting task of the fair class, each task going to one CPU that it may use;
 * the counters integrate that number over time.
 */
#ifndef CFSLB_WASTE_H
#define CFSLB_WASTE_H

#include <linux/types.h>

/* Needs topo. Return: 0 or -ENOMEM. */
int cfslb_waste_init(void);
void cfslb_waste_exit(void);

/* The queue model was emptied: nothing is wasted. */
void cfslb_waste_stop(void);

/* The queue model changed where idle CPUs and waiting tasks meet. Interrupts are off. */
void cfslb_waste_update(void);

/* The last number was not zero, or is being worked out. */
bool cfslb_waste_now(void);

/* The table CFSLB_T_WASTE as of now. Return: now. */
u64 cfslb_waste_read(u64 *to);

#endif
