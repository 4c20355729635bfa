// SPDX-License-Identifier: GPL-2.0
#include "modes.h"

#include <fmt/format.h>

#include <cstdio>

#include "command.h"
#include "delta.h"
#include "json_out.h"
#include "openmetrics.h"
#include "output.h"
#include "signals.h"
#include "text.h"

namespace cfslbstat {
namespace {

constexpr int kHeaderEvery = 20;  // lines, which fits the smallest usual window

void note(const std::string& text) { fmt::print(stderr, "cfslbstat: {}\n", text); }

std::string period_of(const Epoch& epoch) {
    if (epoch.number == 1) return "since the module was loaded";
    return fmt::format("since mark {}", epoch.number - 1);
}

std::chrono::nanoseconds seconds(double value) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(value * 1e9));
}

class Live {
  public:
    explicit Live(const Options& options)
        : options_(options), lines_(options.output, stdout), start_(Clock::now()) {}

    void interval(const Interval& interval) {
        const Summary summary = summarize(interval.counts);
        const double time = since_start();
        if (options_.json) {
            JsonFrame frame;
            frame.kind = "interval";
            frame.restart = interval.restart;
            frame.seconds = time;
            lines_.put(to_json(summary, frame, options_.rows ? &interval.counts : nullptr));
            return;
        }
        if (!interval.restart.empty()) note(interval.restart);
        if (printed_++ % kHeaderEvery == 0) lines_.put(live_header());
        lines_.put(live_line(summary, time));
    }

    void gone(const std::string& reason) {
        if (options_.json) return lines_.put(gone_json(since_start(), reason));
        // Once is enough for people.
        if (!gone_) note(reason + ": waiting for it");
        gone_ = true;
    }

    void back() { gone_ = false; }

    Clock::time_point start() const { return start_; }

  private:
    double since_start() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

    const Options& options_;
    Lines lines_;
    Clock::time_point start_;
    int printed_ = 0;
    bool gone_ = false;
};

}  // namespace

int run_total(const Options& options, Reader* reader) {
    const Snapshot snapshot = reader->read();
    std::string text;
    if (options.openmetrics) {
        text = to_openmetrics(snapshot);
    } else if (options.json) {
        JsonFrame frame;
        frame.kind = "total";
        text = to_json(summarize(snapshot), frame, options.rows ? &snapshot : nullptr) + "\n";
    } else {
        text = render_table(summarize(snapshot), period_of(snapshot.epoch));
    }
    put_whole(options.output, stdout, text);
    return 0;
}

int run_live(const Options& options, Reader* reader) {
    Signals signals;
    Differ differ(reader->read());
    Live live(options);
    for (long line = 1; !options.count || line <= *options.count; ++line) {
        const auto until = live.start() + seconds(*options.interval) * line;
        for (;;) {
            const auto event = signals.wait(until);
            if (!event.signal) break;
            if (event.signal->ssi_signo != SIGCHLD) {
                return exit_code_of_signal(static_cast<int>(event.signal->ssi_signo));
            }
        }
        try {
            live.interval(differ.next(reader->read()));
            live.back();
        } catch (const GoneError& error) {
            live.gone(error.what());
        }
    }
    return 0;
}

int run_command(const Options& options, Reader* reader) {
    Signals signals;
    Command command(options.command, &signals);
    Differ differ(reader->read());
    const int code = command.run();
    if (!command.error().empty()) {
        note(command.error());
        return code;
    }
    // The command's exit code comes first, whatever becomes of the figures.
    try {
        const Interval interval = differ.next(reader->read());
        const Summary summary = summarize(interval.counts);
        std::string text;
        if (options.json) {
            JsonFrame frame = {"command", interval.restart, options.command, code, {}};
            text = to_json(summary, frame, options.rows ? &interval.counts : nullptr) + "\n";
        } else {
            if (!interval.restart.empty()) note(interval.restart);
            std::string words = "while '";
            for (const std::string& word : options.command) {
                words += (words.back() == '\'' ? "" : " ") + word;
            }
            text = render_table(summary, words + "' ran");
        }
        put_whole(options.output, stderr, text);
    } catch (const std::exception& error) {
        if (code == 0) throw;
        note(error.what());
    }
    return code;
}

}  // namespace cfslbstat
