// SPDX-License-Identifier: GPL-2.0
// KTAP version 1 on a stream, one flushed line at a time: what was printed survives a crash.
#ifndef CFSLB_KTAP_H
#define CFSLB_KTAP_H

#include <cstdio>
#include <string>

namespace cfslb {

enum class Verdict { pass, fail, skip };
const char* verdict_name(Verdict verdict);

// Exit codes of the kselftest framework.
constexpr int kExitPass = 0;
constexpr int kExitFail = 1;
constexpr int kExitUsage = 2;
constexpr int kExitSkip = 4;

class Ktap {
  public:
    explicit Ktap(FILE* out) : out_(out) {}

    // "KTAP version 1" and the plan.
    void begin(size_t tests);
    // A "# " line for each line of TEXT.
    void note(const std::string& text);
    // The next result line. DETAIL of a skip goes behind "# SKIP"; of a failure, before it as a
    // note. Line ends and '#' in a skip's detail are replaced, since they would end it.
    void result(Verdict verdict, const std::string& name, const std::string& detail = "");
    // The totals line. Returns the exit code: 1 if any failed or the results are not as many as
    // planned, 4 if all were skipped, else 0. No results at all are a failure.
    int end();

  private:
    void line(const std::string& text);

    FILE* out_;
    size_t planned_ = 0;
    size_t passed_ = 0;
    size_t failed_ = 0;
    size_t skipped_ = 0;
};

}  // namespace cfslb

#endif
