// SPDX-License-Identifier: GPL-2.0
// A small JSON writer: one object on one line, keys in the order they are added.
#ifndef CFSLB_JSON_H
#define CFSLB_JSON_H

#include <string>
#include <vector>

namespace cfslb {

// TEXT in double quotes; control characters and bytes that are not ASCII text become escapes, so
// that a line stays one line of ASCII whatever a path or an error message holds.
std::string json_string(const std::string& text);

// At most 3 decimals, at least one ("4000.0", "1.25"); null for infinities and NaN.
std::string json_number(double value);

std::string json_array(const std::vector<double>& values);
std::string json_array(const std::vector<int>& values);
std::string json_array(const std::vector<std::string>& texts);

class JsonObject {
  public:
    JsonObject& text(const std::string& key, const std::string& value);
    JsonObject& integer(const std::string& key, long value);
    JsonObject& number(const std::string& key, double value);
    // VALUE is JSON already.
    JsonObject& raw(const std::string& key, const std::string& value);
    std::string str() const { return "{" + body_ + "}"; }

  private:
    std::string body_;
};

}  // namespace cfslb

#endif
