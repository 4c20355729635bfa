// SPDX-License-Identifier: GPL-2.0
/*
 * The file snapshot: all tables at one moment, for programs. uapi/cfslb.h
 * describes it.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <asm/byteorder.h>
#include "counters.h"
#include "debugfs.h"
#include "levels.h"
#include "topo.h"

static const enum cfslb_feature table_features[CFSLB_NR_TABLES] = {
	[CFSLB_T_MIGRATE] = CFSLB_F_MIGRATE, [CFSLB_T_DISTANCE] = CFSLB_F_MIGRATE,
	[CFSLB_T_MATRIX] = CFSLB_F_MIGRATE, [CFSLB_T_PLACE] = CFSLB_F_PLACE,
	[CFSLB_T_LB] = CFSLB_F_LB, [CFSLB_T_NEWIDLE] = CFSLB_F_NEWIDLE,
	[CFSLB_T_NOHZ] = CFSLB_F_NOHZ, [CFSLB_T_NUMA] = CFSLB_F_MIGRATE,
	[CFSLB_T_WASTE] = CFSLB_F_WAIT, [CFSLB_T_WAITLAT] = CFSLB_F_WAIT,
};

#define DIRECTORY_SIZE (CFSLB_NR_TABLES * sizeof(struct cfslb_snapshot_table))
#define DATA_START (sizeof(struct cfslb_snapshot_header) + DIRECTORY_SIZE)

static void put_header(struct cfslb_snapshot_header *header, const struct cfslb_view *view,
		       size_t size)
{
	const char *release = init_utsname()->release;

	header->magic = cpu_to_le32(CFSLB_SNAPSHOT_MAGIC);
	header->abi = cpu_to_le32(CFSLB_ABI);
	header->header_size = cpu_to_le32(sizeof(*header));
	header->table_size = cpu_to_le32(sizeof(struct cfslb_snapshot_table));
	header->nr_tables = cpu_to_le32(CFSLB_NR_TABLES);
	header->nr_cpus = cpu_to_le32(nr_cpu_ids);
	header->nr_nodes = cpu_to_le32(cfslb_nr_nodes);
	header->nr_reasons = cpu_to_le32(CFSLB_NR_REASONS);
	header->file_size = cpu_to_le64(size);
	header->epoch = cpu_to_le64(view->epoch);
	header->t_ns = cpu_to_le64(view->t_ns);
	header->epoch_ns = cpu_to_le64(view->epoch_ns);
	memcpy(header->kernel, release, min(strlen(release), sizeof(header->kernel) - 1));
}

static void put_table(const struct cfslb_view *view, int id)
{
	struct cfslb_snapshot_table *entry = view->buf + sizeof(struct cfslb_snapshot_header);
	u32 rows = cfslb_tables[id].rows, cols = cfslb_tables[id].cols, i;

	entry += id;
	entry->id = cpu_to_le32(id);
	entry->rows = cpu_to_le32(rows);
	entry->cols = cpu_to_le32(cols);
	entry->flags = cpu_to_le32(cfslb_feature_on(view->measured, table_features[id]) ?
				   CFSLB_TABLE_MEASURED : 0);
	entry->offset = cpu_to_le64((void *)view->table[id] - view->buf);
	for (i = 0; i < rows * cols; i++)
		cpu_to_le64s(&view->table[id][i]);
}

int cfslb_snapshot(struct cfslb_contents *contents)
{
	size_t size = DATA_START + cfslb_nr_cells * sizeof(u64);
	struct cfslb_view view;
	int id, err;

	err = cfslb_view_take(&view, BIT(CFSLB_NR_TABLES) - 1, DATA_START);
	if (err)
		return err;
	put_header(view.buf, &view, size);
	for (id = 0; id < CFSLB_NR_TABLES; id++)
		put_table(&view, id);
	contents->buf = view.buf;
	contents->len = size;
	return 0;
}
