// SPDX-License-Identifier: GPL-2.0
//
// Whole-file reading and writing with errors that carry path and errno.
#pragma once

#include <string>
#include <string_view>

namespace lbtools {

// Throws std::system_error, what() = "PATH: reason".
std::string read_file(const std::string& path);

// Replaces the file; an I/O error (a full disk) leaves no half-written file
// under this name. Throws std::system_error.
void write_file(const std::string& path, std::string_view content);

}  // namespace lbtools
