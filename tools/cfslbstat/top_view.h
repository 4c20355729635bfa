// SPDX-License-Identifier: GPL-2.0
//
// What the full screen shows, as lines of coloured pieces.
#pragma once

#include <string>
#include <vector>

#include "summary.h"

namespace cfslbstat {

enum class Colour { kPlain, kBold, kCool, kWarm, kHot };

struct Piece {
    std::string text;
    Colour colour = Colour::kPlain;
};
using Line = std::vector<Piece>;

// Exactly `height` lines or fewer, none wider than `width`. `note` is the second line.
std::vector<Line> top_lines(const Summary& summary, const std::string& note, std::size_t width,
                            std::size_t height);

// "#####-----" for a share of 0 to 1, and its colour. Absent: blank.
Piece bar(std::optional<double> share, std::size_t width);

}  // namespace cfslbstat
