// SPDX-License-Identifier: GPL-2.0
#include "json.h"

#include <cmath>
#include <cstdio>

namespace cfslb {

std::string json_string(const std::string& text) {
    std::string out = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == '\n') {
            out += "\\n";
        } else if (c < 0x20 || c >= 0x7f) {
            char escape[8];
            snprintf(escape, sizeof(escape), "\\u%04x", c);
            out += escape;
        } else {
            out += static_cast<char>(c);
        }
    }
    return out + '"';
}

std::string json_number(double value) {
    if (!std::isfinite(value)) return "null";
    char digits[64];
    snprintf(digits, sizeof(digits), "%.3f", value);
    std::string text = digits;
    while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
    return text == "-0.0" ? "0.0" : text;
}

template <typename Value, typename Format>
static std::string array_of(const std::vector<Value>& values, Format format) {
    std::string out = "[";
    for (size_t i = 0; i < values.size(); i++) {
        if (i > 0) out += ',';
        out += format(values[i]);
    }
    return out + ']';
}

std::string json_array(const std::vector<double>& values) { return array_of(values, json_number); }

std::string json_array(const std::vector<int>& values) {
    return array_of(values, [](int value) { return std::to_string(value); });
}

std::string json_array(const std::vector<std::string>& texts) {
    return array_of(texts, json_string);
}

JsonObject& JsonObject::raw(const std::string& key, const std::string& value) {
    if (!body_.empty()) body_ += ',';
    body_ += json_string(key) + ":" + value;
    return *this;
}

JsonObject& JsonObject::text(const std::string& key, const std::string& value) {
    return raw(key, json_string(value));
}

JsonObject& JsonObject::integer(const std::string& key, long value) {
    return raw(key, std::to_string(value));
}

JsonObject& JsonObject::number(const std::string& key, double value) {
    return raw(key, json_number(value));
}

}  // namespace cfslb
