// SPDX-License-Identifier: GPL-2.0
#include "ktap.h"

#include "files.h"

namespace cfslb {

const char* verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::fail:
            return "fail";
        case Verdict::skip:
            return "skip";
    }
    return "fail";
}

static std::string one_line(std::string text) {
    for (char& c : text) {
        if (c == '\n' || c == '\r') c = ' ';
        if (c == '#') c = '.';
    }
    return text;
}

void Ktap::line(const std::string& text) {
    fprintf(out_, "%s\n", text.c_str());
    fflush(out_);
}

void Ktap::begin(size_t tests) {
    planned_ = tests;
    line("KTAP version 1");
    line("1.." + std::to_string(tests));
}

void Ktap::note(const std::string& text) {
    for (const std::string& part : split_lines(text)) line("# " + part);
}

void Ktap::result(Verdict verdict, const std::string& name, const std::string& detail) {
    size_t number = passed_ + failed_ + skipped_ + 1;
    std::string rest = " " + std::to_string(number) + " " + one_line(name);
    switch (verdict) {
        case Verdict::pass:
            passed_++;
            line("ok" + rest);
            break;
        case Verdict::fail:
            failed_++;
            if (!detail.empty()) note(name + ": " + detail);
            line("not ok" + rest);
            break;
        case Verdict::skip:
            skipped_++;
            line("ok" + rest + " # SKIP " + one_line(detail));
            break;
    }
}

int Ktap::end() {
    line("# Totals: pass:" + std::to_string(passed_) + " fail:" + std::to_string(failed_) +
         " skip:" + std::to_string(skipped_));
    size_t results = passed_ + failed_ + skipped_;
    if (failed_ > 0 || results == 0 || results != planned_) return kExitFail;
    return passed_ == 0 ? kExitSkip : kExitPass;
}

}  // namespace cfslb
