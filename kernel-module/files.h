/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The statistics files: what they need and how their rows are printed.
 */
#ifndef CFSLB_FILES_H
#define CFSLB_FILES_H

#include "text.h"
#include "view.h"

struct cfslb_file {
	const char *name;
	unsigned long tables;	/* bits of enum cfslb_table_id */
	void (*rows)(struct cfslb_text *text, const struct cfslb_view *view);
};

/* The end has no name. */
extern const struct cfslb_file cfslb_files[];

/* Rows of the file caps. */
void cfslb_caps_rows(struct cfslb_text *text, const struct cfslb_view *view);

#endif
