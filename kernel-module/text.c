// SPDX-License-Identifier: GPL-2.0
/*
 * Builds the text of a file in memory.
 */
#include <linux/mm.h>
#include <linux/string.h>
#include "text.h"

#define FIRST_SIZE 4096

/* Room for @more bytes. */
static bool make_room(struct cfslb_text *text, size_t more)
{
	size_t size = max_t(size_t, text->size, FIRST_SIZE);
	char *buf;

	if (text->err)
		return false;
	if (text->len + more <= text->size)
		return true;
	while (size < text->len + more)
		size *= 2;
	buf = kvmalloc(size, GFP_KERNEL);
	if (!buf) {
		text->err = -ENOMEM;
		return false;
	}
	memcpy(buf, text->buf, text->len);
	kvfree(text->buf);
	text->buf = buf;
	text->size = size;
	return true;
}

static bool same_file(const struct cfslb_column *a, const struct cfslb_column *b)
{
	return a->file && !strcmp(a->file, b->file);
}

static void put(struct cfslb_text *text, const char *from, size_t len)
{
	if (!make_room(text, len))
		return;
	memcpy(text->buf + text->len, from, len);
	text->len += len;
}

void cfslb_text_put(struct cfslb_text *text, const char *string)
{
	put(text, string, strlen(string));
}

void cfslb_text_number(struct cfslb_text *text, u64 value)
{
	char digits[20];
	int at = sizeof(digits);

	do {
		digits[--at] = '0' + value % 10;
		value /= 10;
	} while (value);
	put(text, digits + at, sizeof(digits) - at);
}

void cfslb_text_columns(struct cfslb_text *text, const char *file)
{
	const struct cfslb_column *column = cfslb_columns_of(file);

	text->first = column;
	text->column = column;
	while (same_file(column, text->first)) {
		cfslb_text_put(text, column == text->first ? "" : "\t");
		cfslb_text_put(text, column->name);
		column++;
	}
	cfslb_text_put(text, "\n");
}

static void next_field(struct cfslb_text *text)
{
	const struct cfslb_column *next = text->column + 1;

	if (same_file(next, text->first)) {
		cfslb_text_put(text, "\t");
		text->column = next;
	} else {
		cfslb_text_put(text, "\n");
		text->column = text->first;
	}
}

void cfslb_text_label(struct cfslb_text *text, const char *string)
{
	cfslb_text_put(text, string);
	next_field(text);
}

void cfslb_text_value(struct cfslb_text *text, u64 value)
{
	if (cfslb_feature_on(text->measured, text->column->needs))
		cfslb_text_number(text, value);
	else
		cfslb_text_put(text, "-");
	next_field(text);
}

void cfslb_text_absent(struct cfslb_text *text)
{
	cfslb_text_label(text, "-");
}
