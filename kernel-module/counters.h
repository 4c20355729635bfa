/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters. Each CPU has cells of its own and writes only these; readers add
 * them up. Cells come in tables: rows times columns.
 */
#ifndef CFSLB_COUNTERS_H
#define CFSLB_COUNTERS_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "uapi/cfslb.h"

struct cfslb_table {
	u32 rows, cols;		/* of the sum */
	u32 offset;		/* of the sum's first cell */
	u32 own_rows;		/* rows that a CPU has */
	u32 own_offset;		/* of a CPU's first cell */
	bool by_cpu;		/* sum: every CPU's own rows, one after the other */
};

extern struct cfslb_table cfslb_tables[CFSLB_NR_TABLES];
extern u32 cfslb_nr_cells;	/* of the sum of all tables */

/* NULL before cfslb_counters_init() and after cfslb_counters_exit(). */
DECLARE_PER_CPU(u64 *, cfslb_cells);

/*
 * Needs topo. Return: 0 or -ENOMEM.
 */
int cfslb_counters_init(void);
void cfslb_counters_exit(void);

/*
 * Most cells stay zero. A CPU marks the block of each cell that it counts in, and readers
 * pass over blocks without a mark. The marks, a byte a block, lie before the cells and
 * run backwards, so that one pointer leads to both.
 */
#define CFSLB_BLOCK_SHIFT 5
#define CFSLB_BLOCK_CELLS (1U << CFSLB_BLOCK_SHIFT)

static __always_inline u8 *cfslb_mark_of(u64 *cells, u32 cell)
{
	return (u8 *)cells - 1 - (cell >> CFSLB_BLOCK_SHIFT);
}

/*
 * Adds up one table into @to: cells that are zero. May sleep. Return: the
 * moment that it shows, as of local_clock(); for waste, which is a time itself, exactly.
 */
u64 cfslb_counters_sum(enum cfslb_table_id id, u64 *to);

/**
 * cfslb_add() - count on this CPU
 * @id: table
 * @row: row of this CPU's part of it
 * @col: column
 * @n: how many
 *
 * For one cell all callers must be of one context that does not interrupt itself
 * on a CPU: the addition is not atomic. Preemption must be off.
 */
static __always_inline void cfslb_add(enum cfslb_table_id id, u32 row, u32 col, u64 n)
{
	const struct cfslb_table *table = &cfslb_tables[id];
	u32 cell = table->own_offset + row * table->cols + col;
	u64 *cells = __this_cpu_read(cfslb_cells);

	WRITE_ONCE(*cfslb_mark_of(cells, cell), 1);
	WRITE_ONCE(cells[cell], cells[cell] + n);
}

static __always_inline void cfslb_inc(enum cfslb_table_id id, u32 row, u32 col)
{
	cfslb_add(id, row, col, 1);
}

#endif
