// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel without the tracepoints of the patch series.
 */
#include <linux/errno.h>
#include "series.h"

bool cfslb_series_known(void)
{
	return false;
}

int cfslb_series_attach(void)
{
	return -ENOENT;
}

void cfslb_series_detach(void)
{
}

bool cfslb_series_on(void)
{
	return false;
}

int cfslb_how_attach(void)
{
	return 0;
}

void cfslb_how_detach(void)
{
}

bool cfslb_how_on(void)
{
	return false;
}

u64 cfslb_series_missed(void)
{
	return 0;
}
