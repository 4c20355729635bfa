/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /sys/kernel/debug/cfslb/
 */
#ifndef CFSLB_DEBUGFS_H
#define CFSLB_DEBUGFS_H

#include <linux/fs.h>
#include "view.h"

/* What an open statistics file holds: its contents, made when it was opened. */
struct cfslb_contents {
	char *buf;	/* kvmalloc() */
	size_t len;
};

int cfslb_debugfs_init(void);
void cfslb_debugfs_exit(void);

extern const struct file_operations cfslb_control_fops;

/* The contents of the file snapshot. Return: 0 or -ENOMEM. */
int cfslb_snapshot(struct cfslb_contents *contents);

#endif
