// SPDX-License-Identifier: GPL-2.0
/*
 * Builds the text of a file in memory.
 */
#include <linux/mm.h>
#include <linux/string.h>
#include "text.h"

#define FIRST_SIZE 4096
#define MAX_DIGITS 20	/* of 64 bits */

static noinline bool grow(struct cfslb_text *text, size_t more)
{
	size_t size = max_t(size_t, text->size, FIRST_SIZE);
	char *buf;

	if (text->err)
		return false;
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

/* Room for @more bytes. */
static inline bool make_room(struct cfslb_text *text, size_t more)
{
	return likely(text->len + more <= text->size) || grow(text, more);
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

static char *put_digits(char *at, u64 value)
{
	char digits[MAX_DIGITS];
	int i = sizeof(digits);

	do {
		digits[--i] = '0' + value % 10;
		value /= 10;
	} while (value);
	memcpy(at, digits + i, sizeof(digits) - i);
	return at + sizeof(digits) - i;
}

void cfslb_text_number(struct cfslb_text *text, u64 value)
{
	if (make_room(text, MAX_DIGITS))
		text->len = put_digits(text->buf + text->len, value) - text->buf;
}

void cfslb_text_columns(struct cfslb_text *text, const char *file)
{
	const struct cfslb_column *column = cfslb_columns_of(file);

	text->first = column;
	text->column = column;
	while (same_file(column, text->first)) {
		cfslb_text_put(text, column == text->first ? "" : "\t");
		cfslb_text_put(text, column->name);
		text->last = column++;
	}
	cfslb_text_put(text, "\n");
}

/* What comes behind a field. Goes on to the next one. */
static char separator(struct cfslb_text *text)
{
	if (text->column != text->last) {
		text->column++;
		return '\t';
	}
	text->column = text->first;
	return '\n';
}

void cfslb_text_label(struct cfslb_text *text, const char *string)
{
	char end = separator(text);

	cfslb_text_put(text, string);
	put(text, &end, 1);
}

void cfslb_text_value(struct cfslb_text *text, u64 value)
{
	bool known = cfslb_feature_on(text->measured, text->column->needs);
	char *at;

	if (!make_room(text, MAX_DIGITS + 1))
		return;
	at = text->buf + text->len;
	if (!known)
		*at++ = '-';
	else if (value < 10)	/* most of them */
		*at++ = '0' + value;
	else
		at = put_digits(at, value);
	*at++ = separator(text);
	text->len = at - text->buf;
}

void cfslb_text_absent(struct cfslb_text *text)
{
	cfslb_text_label(text, "-");
}
