/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Columns of all files: what they are called, measure and mean. The files print
 * their headings from it, /sys/kernel/debug/cfslb/schema prints it whole, and
 * Documentation/counters.md must agree (make check-docs).
 */
#ifndef CFSLB_SCHEMA_H
#define CFSLB_SCHEMA_H

#include "levels.h"

struct cfslb_column {
	const char *file;
	const char *name;
	const char *kind;	/* label, counter (only grows within an epoch), gauge */
	const char *unit;	/* "-" for none */
	enum cfslb_feature needs; /* never on in this epoch: the column reads "-" */
	const char *meaning;
};

/* The end has no file. Columns of one file follow each other, in their order. */
extern const struct cfslb_column cfslb_columns[];

/* What one row of @file is about. */
const char *cfslb_scope_of(const char *file);

/* The first column of @file. */
const struct cfslb_column *cfslb_columns_of(const char *file);

#endif
