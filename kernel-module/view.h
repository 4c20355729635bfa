/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader sees: the sums of some tables at one moment, less the baseline
 * of the epoch.
 */
#ifndef CFSLB_VIEW_H
#define CFSLB_VIEW_H

#include <linux/types.h>
#include "uapi/cfslb.h"

struct cfslb_view {
	u64 epoch;			/* 1 at load, one more with each mark */
	u64 t_ns;			/* the scheduler's clock */
	u64 epoch_ns;			/* t_ns when the epoch began */
	unsigned long measured;		/* features on at some time of the epoch */
	u64 *table[CFSLB_NR_TABLES];	/* NULL if it was not asked for */
	void *buf;			/* kvmalloc(): what the reader asked for, cells of the tables */
};

int cfslb_view_init(void);
void cfslb_view_exit(void);

/*
 * Takes the tables of the bit set @tables: one after the other, in view->buf behind
 * @room bytes for the reader's own use. Return: 0 or -ENOMEM. May sleep.
 * cfslb_view_drop() gives the memory back.
 */
int cfslb_view_take(struct cfslb_view *view, unsigned long tables, size_t room);
void cfslb_view_drop(struct cfslb_view *view);

/*
 * Starts a new epoch: all counters read zero. No counter is written: what was
 * counted so far becomes the baseline. The caller holds cfslb_lock. Return: 0 or -ENOMEM.
 */
int cfslb_view_mark(void);
u64 cfslb_view_epoch(void);

#endif
