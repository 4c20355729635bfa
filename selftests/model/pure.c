// SPDX-License-Identifier: GPL-2.0
/* The extracted functions, with external linkage for the test. */
#include "kernel_shim.h"
#include "types.h"

#define static
#define inline
#include "functions.c"
