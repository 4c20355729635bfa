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

static void *alloc_cells(size_t room, u32 nr)
{
	return kvzalloc(room + nr * sizeof(u64), GFP_KERNEL);
}

int cfslb_view_init(void)
{
	baseline = alloc_cells(0, cfslb_nr_cells);
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
	u64 *now = alloc_cells(0, cfslb_nr_cells), t_ns;
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

/* Most cells are zero: so many at a time are looked at. */
#define STRIDE 8

static bool all_zero(const u64 *cells)
{
	return !(cells[0] | cells[1] | cells[2] | cells[3] |
		 cells[4] | cells[5] | cells[6] | cells[7]);
}

static void subtract(u64 *cells, const u64 *from, u32 nr)
{
	u32 i;

	for (; nr >= STRIDE; nr -= STRIDE) {
		if (!all_zero(from))
			for (i = 0; i < STRIDE; i++)
				cells[i] -= from[i];
		cells += STRIDE;
		from += STRIDE;
	}
	while (nr--)
		*cells++ -= *from++;
}

int cfslb_view_take(struct cfslb_view *view, unsigned long tables, size_t room)
{
	u32 nr = 0;
	u64 *cells, t_ns;
	int id;

	for_each_set_bit(id, &tables, CFSLB_NR_TABLES)
		nr += cfslb_tables[id].rows * cfslb_tables[id].cols;
	*view = (struct cfslb_view){ 0 };
	view->buf = alloc_cells(room, nr);
	if (!view->buf)
		return -ENOMEM;
	cells = view->buf + room;

	mutex_lock(&cfslb_lock);
	view->epoch = epoch;
	view->epoch_ns = epoch_ns;
	view->measured = cfslb_measured;
	view->t_ns = local_clock();
	for_each_set_bit(id, &tables, CFSLB_NR_TABLES) {
		const struct cfslb_table *table = &cfslb_tables[id];

		view->table[id] = cells;
		t_ns = cfslb_counters_sum(id, cells);
		if (id == CFSLB_T_WASTE)
			view->t_ns = t_ns;
		nr = table->rows * table->cols;
		subtract(cells, baseline + table->offset, nr);
		cells += nr;
	}
	mutex_unlock(&cfslb_lock);
	return 0;
}

void cfslb_view_drop(struct cfslb_view *view)
{
	kvfree(view->buf);
	*view = (struct cfslb_view){ 0 };
}
