// SPDX-License-Identifier: GPL-2.0
#include "reader.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <cerrno>
#include <system_error>

#include "files.h"

namespace cfslbstat {
namespace {

// A mark or a reload in the middle of a read is repaired by another read; more than this many
// in a row is not one of these.
constexpr int kAttempts = 5;

bool is_mounted() {
    struct statfs info = {};
    return statfs(kDebugfs, &info) == 0 && info.f_type == DEBUGFS_MAGIC;
}

// What to do about a file that cannot be opened or read.
[[noreturn]] void explain(const std::string& root, const std::system_error& error) {
    const int code = error.code().value();
    const bool missing = code == ENOENT || code == ENODEV || code == ENXIO || code == EIO;
    if (root != kDefaultRoot) {
        if (missing) throw GoneError(error.what());
        throw InputError(error.what());
    }
    if (code == EACCES) {
        throw SetupError(
            fmt::format("{}: run as root, or let others in: mount -o remount,mode=755 {} (or "
                        "gid=GROUP,mode=750)",
                        error.what(), kDebugfs));
    }
    if (code == EPERM) {
        throw SetupError(fmt::format(
            "{}: run as root; a locked down kernel may not allow it at all", error.what()));
    }
    if (missing && !is_mounted()) {
        throw SetupError(
            fmt::format("debugfs is not mounted: mount -t debugfs debugfs {0}", kDebugfs));
    }
    if (missing)
        throw GoneError("the module cfslb is not loaded: modprobe cfslb, or insmod cfslb.ko");
    throw SetupError(error.what());
}

bool is_statistics(const std::string& name) {
    return name != "schema" && name != "snapshot" && name != "control";
}

// Files that this program does not know are read if they look like the others.
bool is_known(const std::string& name) {
    for (const char* const known : {"info", "caps", "migrate", "distance", "matrix", "place", "lb",
                                    "newidle", "nohz", "numa", "waste", "waitlat"}) {
        if (name == known) return true;
    }
    return false;
}

}  // namespace

Reader::Reader(std::string root) : root_(std::move(root)) {}

Table Reader::read_table(const std::string& name) const {
    const std::string text = lbtools::read_file(path(name));
    try {
        return parse_table(name, text, schema_);
    } catch (const InputError& error) {
        throw InputError(root_ + "/" + error.what());
    }
}

void Reader::read_schema() {
    const std::string text = lbtools::read_file(path("schema"));
    try {
        schema_ = Schema::parse(text);
    } catch (const InputError& error) {
        throw InputError(root_ + "/" + error.what());
    }
    has_schema_ = true;
}

// False: the epoch changed on the way.
bool Reader::read_tables(Snapshot* snapshot) const {
    for (const std::string& name : schema_.files()) {
        if (!is_statistics(name) || name == "info") continue;
        try {
            snapshot->tables.push_back(read_table(name));
        } catch (const std::system_error& error) {
            if (is_known(name) && error.code().value() != ENOENT) throw;
            continue;
        } catch (const InputError&) {
            if (is_known(name)) throw;
            continue;
        }
        if (snapshot->tables.back().epoch != snapshot->epoch.number) return false;
    }
    return epoch_of(read_table("info")) == snapshot->epoch;
}

Snapshot Reader::read() {
    try {
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            Snapshot snapshot;
            if (!has_schema_) read_schema();
            snapshot.tables.push_back(read_table("info"));
            const Table& info = snapshot.tables.front();
            snapshot.epoch = epoch_of(info);
            // Another module may have been loaded.
            if (schema_epoch_ != snapshot.epoch) {
                read_schema();
                schema_epoch_ = snapshot.epoch;
                snapshot.tables.front() = read_table("info");
                if (epoch_of(snapshot.tables.front()) != snapshot.epoch) continue;
            }
            snapshot.kernel = snapshot.tables.front().kernel;
            snapshot.t_ns = snapshot.tables.front().t_ns;
            snapshot.span_ns = snapshot.t_ns - snapshot.epoch.start_ns;
            if (read_tables(&snapshot)) return snapshot;
        }
    } catch (const std::system_error& error) {
        explain(root_, error);
    }
    throw SetupError(root_ + ": the epoch changes all the time: who writes 'mark' to control?");
}

}  // namespace cfslbstat
