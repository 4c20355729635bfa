// SPDX-License-Identifier: GPL-2.0
//
// The full-screen mode.
#include <unistd.h>

#include <optional>

#include "delta.h"
#include "modes.h"
#include "screen.h"
#include "signals.h"

namespace cfslbstat {
namespace {

class Top {
  public:
    Top(const Options& options, Reader* reader)
        : options_(options), reader_(reader), differ_(reader->read()) {
        // Until the first interval is over: what was counted so far has no meaning as a rate.
        next_ = Clock::now() + interval();
    }

    int run() {
        draw();
        for (long done = 0; !options_.count || done < *options_.count;) {
            const auto event = signals_.wait(next_, STDIN_FILENO);
            if (event.signal && event.signal->ssi_signo != SIGCHLD) {
                return exit_code_of_signal(static_cast<int>(event.signal->ssi_signo));
            }
            if (event.readable && !keys()) return 0;
            if (Clock::now() < next_) continue;
            next_ += interval();
            // After a stop (Ctrl-Z) there is nothing to catch up with.
            if (next_ < Clock::now()) next_ = Clock::now() + interval();
            ++done;
            if (!paused_) read();
        }
        return 0;
    }

  private:
    Clock::duration interval() const {
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(*options_.interval));
    }

    void read() {
        try {
            Interval interval = differ_.next(reader_->read());
            note_ = interval.restart;
            summary_ = summarize(interval.counts);
        } catch (const GoneError& error) {
            note_ = error.what();
        }
        draw();
    }

    // False: quit.
    bool keys() {
        bool any = false;
        while (const int key = screen_.key()) {
            any = true;
            if (key == 'q' || key == 'Q') return false;
            if (key == 'p' || key == 'P') {
                paused_ = !paused_;
                note_ = paused_ ? "paused: p goes on" : "";
            }
        }
        // No key though something could be read: the terminal hung up, or has a new size.
        if (!any && isatty(STDIN_FILENO) == 0) return false;
        draw();
        return true;
    }

    void draw() {
        if (!summary_) {
            screen_.show({{{"cfslbstat: the first figures come after one interval"}}});
            return;
        }
        screen_.show(top_lines(*summary_, note_, screen_.width(), screen_.height()));
    }

    const Options& options_;
    Reader* reader_;
    Differ differ_;
    // Signals outlive the screen: none can end the program between the two.
    Signals signals_;
    Screen screen_;
    std::optional<Summary> summary_;
    std::string note_;
    bool paused_ = false;
    Clock::time_point next_;
};

}  // namespace

int run_top(const Options& options, Reader* reader) { return Top(options, reader).run(); }

}  // namespace cfslbstat
