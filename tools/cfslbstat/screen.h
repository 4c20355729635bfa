// SPDX-License-Identifier: GPL-2.0
//
// The terminal as a whole, by ncurses.
#pragma once

#include <string>
#include <vector>

#include "top_view.h"

namespace cfslbstat {

// While it lives the terminal is the screen's; afterwards it is as it was, also if the program
// ends by a fault of its own.
class Screen {
  public:
    // Throws InputError if there is no terminal, or none that can place its cursor.
    Screen();
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    std::size_t width() const;
    std::size_t height() const;
    void show(const std::vector<Line>& lines);
    // A key that waits, or 0. A change of size is none.
    int key();
};

}  // namespace cfslbstat
