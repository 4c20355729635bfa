/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prototypes of tracepoints. Kernels pass different arguments, so a probe's type
 * is compared with the one that trace/events/sched.h declares: a kernel whose
 * event fits none of our probes does not compile.
 */
#ifndef CFSLB_COMPAT_TRACE_H
#define CFSLB_COMPAT_TRACE_H

#include <linux/build_bug.h>
#include <linux/mm.h>
#include <trace/events/sched.h>

/* Type of the function with which the kernel checks probes of EVENT. */
#define CFSLB_CHECK_TYPE(event) typeof(check_trace_callback_type_##event)

/* True at compile time if the function can be attached to EVENT. */
#define CFSLB_FITS(event, fn) \
	__builtin_types_compatible_p(CFSLB_CHECK_TYPE(event), void (typeof(fn) *))

#define CFSLB_MUST_FIT(event, fits) \
	BUILD_BUG_ON_MSG(!(fits), "cfslb: unknown prototype of tracepoint " #event)

/* The probe for EVENT, or a build error that names the event. */
#define CFSLB_PROBE(event, fn) ({				\
	CFSLB_MUST_FIT(event, CFSLB_FITS(event, fn));		\
	(void *)(fn);						\
})

/* Whichever of two probes fits. */
#define CFSLB_PROBE2(event, fn1, fn2) ({					\
	CFSLB_MUST_FIT(event, CFSLB_FITS(event, fn1) || CFSLB_FITS(event, fn2)); \
	CFSLB_FITS(event, fn1) ? (void *)(fn1) : (void *)(fn2);			\
})

#endif
