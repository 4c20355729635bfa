/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds the text of a file in memory: heading, column names, rows.
 */
#ifndef CFSLB_TEXT_H
#define CFSLB_TEXT_H

#include <linux/types.h>
#include "schema.h"

struct cfslb_text {
	char *buf;
	size_t len, size;
	int err;			/* -ENOMEM: what follows is ignored */
	const struct cfslb_column *first, *last;	/* columns of the file */
	const struct cfslb_column *column;	/* the next field's */
	unsigned long measured;		/* fields of other features read "-" */
};

void cfslb_text_put(struct cfslb_text *text, const char *string);
void cfslb_text_number(struct cfslb_text *text, u64 value);

/* Column names of @file: the second line. */
void cfslb_text_columns(struct cfslb_text *text, const char *file);

/*
 * Fields of a row, in the order of the schema; the last one ends the line. A
 * value of a feature that was never on becomes "-".
 */
void cfslb_text_label(struct cfslb_text *text, const char *string);
void cfslb_text_value(struct cfslb_text *text, u64 value);

/* A value that this row does not have, whatever its column. */
void cfslb_text_absent(struct cfslb_text *text);

#endif
