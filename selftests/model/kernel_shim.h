/* SPDX-License-Identifier: GPL-2.0 */
/* The little of the kernel that the pure functions need. */
#ifndef CFSLB_MODEL_KERNEL_SHIM_H
#define CFSLB_MODEL_KERNEL_SHIM_H

#include <limits.h>
#include <stdbool.h>

struct sched_group;

#define CONFIG_NUMA_BALANCING 1
#define SCHED_CAPACITY_SCALE 1024L
#define BITS_PER_LONG ((int)(sizeof(long) * CHAR_BIT))
#define NICE_0_LOAD (1024UL << 10)
#define scale_load_down(w) ((w) >> 10)

/* Like the kernel's, these refuse to compare different types. */
#define min(x, y) __extension__({		\
	__typeof__(x) _x = (x);			\
	__typeof__(y) _y = (y);			\
	(void)(&_x == &_y);			\
	_x < _y ? _x : _y; })
#define max(x, y) __extension__({		\
	__typeof__(x) _x = (x);			\
	__typeof__(y) _y = (y);			\
	(void)(&_x == &_y);			\
	_x > _y ? _x : _y; })
#define min_t(type, x, y) min((type)(x), (type)(y))
#define max_t(type, x, y) max((type)(x), (type)(y))

#endif
