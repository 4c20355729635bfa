/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options without which cfslb cannot do its work. Each missing one stops the
 * build under its own name.
 */
#ifndef CFSLB_REQUIRES_H
#define CFSLB_REQUIRES_H

#ifndef CONFIG_SMP
#error "cfslb needs a kernel with CONFIG_SMP"
#endif
#ifndef CONFIG_64BIT
#error "cfslb needs a kernel with CONFIG_64BIT"
#endif
#ifndef CONFIG_DEBUG_FS
#error "cfslb needs a kernel with CONFIG_DEBUG_FS"
#endif
#ifndef CONFIG_TRACEPOINTS
#error "cfslb needs a kernel with CONFIG_TRACEPOINTS"
#endif
#ifndef CONFIG_KRETPROBES
#error "cfslb needs a kernel with CONFIG_KPROBES and CONFIG_KRETPROBES"
#endif
#ifndef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
#error "cfslb needs CONFIG_HAVE_FUNCTION_ARG_ACCESS_API from the architecture"
#endif
#if !defined(CFSLB_HAVE_TASK_STATE) && !defined(CFSLB_HAVE_TASK___STATE)
#error "cfslb finds neither state nor __state in struct task_struct"
#endif
#if !defined(CFSLB_HAVE_SD_SHARE_LLC) && !defined(CFSLB_HAVE_SD_SHARE_PKG)
#error "cfslb finds neither SD_SHARE_LLC nor SD_SHARE_PKG_RESOURCES"
#endif

#endif
