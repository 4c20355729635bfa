// SPDX-License-Identifier: GPL-2.0
/*
 * What a reader sees, and the baseline that it is counted from.
 */
#include <linux/mm.h>
#include <linux/sched/clock.h>
#include "counters.h"
#include "levels.h"
#include "view.h"

static u64 *baseline;
static u64 epoch = 1;
static u64 epoch_ns;

static u64 *alloc_cells(u32 nr)
{
	return kvmalloc(array_size(nr, sizeof(u64)), GFP_KERNEL | __GFP_ZERO);
}

int cfslb_view_init(void)
{
	baseline = alloc_cells(cfslb_nr_cells);
	epoch_ns = local_clock();
	return baseline ? 0 : -ENOMEM;
}

void cfslb_view_exit(void)
{
	kvfree(baseline);
}

u64 cfslb_view_epoch(void)
{
	return epoch;
}

int cfslb_view_mark(void)
{
	u64 *now = alloc_cells(cfslb_nr_cells), t_ns;
	int id;

	lockdep_assert_held(&cfslb_lock);
	if (!now)
		return -ENOMEM;
	for (id = 0; id < CFSLB_NR_TABLES; id++) {
		t_ns = cfslb_counters_sum(id, now + cfslb_tables[id].offset);
		/* Waste is a time, which must fit the epoch's. */
		if (id == CFSLB_T_WASTE)
			epoch_ns = t_ns;
	}
	kvfree(baseline);
	baseline = now;
	epoch++;
	cfslb_measured = cfslb_features_now();
	return 0;
}

int cfslb_view_take(struct cfslb_view *view, unsigned long tables)
{
	u32 nr = 0, i;
	u64 t_ns;
	int id;

	for_each_set_bit(id, &tables, CFSLB_NR_TABLES)
		nr += cfslb_tables[id].rows * cfslb_tables[id].cols;
	*view = (struct cfslb_view){ 0 };
	view->cells = alloc_cells(nr);
	if (!view->cells)
		return -ENOMEM;

	mutex_lock(&cfslb_lock);
	view->epoch = epoch;
	view->epoch_ns = epoch_ns;
	view->measured = cfslb_measured;
	view->t_ns = local_clock();
	nr = 0;
	for_each_set_bit(id, &tables, CFSLB_NR_TABLES) {
		const struct cfslb_table *table = &cfslb_tables[id];
		u64 *cells = view->cells + nr;

		view->table[id] = cells;
		t_ns = cfslb_counters_sum(id, cells);
		if (id == CFSLB_T_WASTE)
			view->t_ns = t_ns;
		for (i = 0; i < table->rows * table->cols; i++)
			cells[i] -= baseline[table->offset + i];
		nr += table->rows * table->cols;
	}
	mutex_unlock(&cfslb_lock);
	return 0;
}

void cfslb_view_drop(struct cfslb_view *view)
{
	kvfree(view->cells);
	*view = (struct cfslb_view){ 0 };
}
