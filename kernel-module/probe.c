// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching to functions by one of several names.
 */
#include <linux/string.h>
#include "probe.h"

int cfslb_kretprobe_attach(struct kretprobe *rp, const char *const *names, const char **found)
{
	const struct kretprobe want = {
		.handler = rp->handler,
		.entry_handler = rp->entry_handler,
		.data_size = rp->data_size,
		.maxactive = rp->maxactive,
	};
	int err = -ENOENT;

	for (; *names; names++) {
		memset(rp, 0, sizeof(*rp));
		rp->handler = want.handler;
		rp->entry_handler = want.entry_handler;
		rp->data_size = want.data_size;
		rp->maxactive = want.maxactive;
		rp->kp.symbol_name = *names;
		err = register_kretprobe(rp);
		if (!err) {
			*found = *names;
			return 0;
		}
	}
	return err;
}
