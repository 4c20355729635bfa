// SPDX-License-Identifier: GPL-2.0
//
// The modes of the program.
#pragma once

#include "options.h"
#include "reader.h"

namespace cfslbstat {

// Each returns the exit code and throws InputError, SetupError, GoneError or std::system_error.
int run_total(const Options& options, Reader* reader);
int run_live(const Options& options, Reader* reader);
int run_command(const Options& options, Reader* reader);
int run_top(const Options& options, Reader* reader);

}  // namespace cfslbstat
