/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CFSLB_MAIN_H
#define CFSLB_MAIN_H

#define CFSLB_VERSION "1.0"

#endif
