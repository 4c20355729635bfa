// SPDX-License-Identifier: GPL-2.0
// Description: cfslbstat as a script meets it: modes, exit codes, messages.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "files.h"
#include "trees.h"

namespace cfslbstat {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

class Cli : public Trees {
  protected:
    // Runs a shell's command line, in which "cfslbstat" is the program.
    int shell(const std::string& command) {
        const std::string out = dir_ / "stdout", err = dir_ / "stderr";
        const std::string define = fmt::format("cfslbstat() {{ {} \"$@\"; }}; ", CFSLBSTAT);
        const int status =
            std::system(fmt::format("( {}{} ) >{} 2>{}", define, command, out, err).c_str());
        out_ = lbtools::read_file(out);
        err_ = lbtools::read_file(err);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    int stat(const std::string& arguments) { return shell("cfslbstat " + arguments); }
    std::string late() const { return "--root " + dump("late"); }

    // This code, one line on stderr with this part, nothing on stdout.
    void expect_refused(int code, int wanted, const std::string& part) const {
        EXPECT_EQ(code, wanted) << err_;
        EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
        EXPECT_NE(err_.find(part), std::string::npos) << err_;
        EXPECT_EQ(out_, "");
    }

    std::vector<Json> json_lines() const {
        std::vector<Json> all;
        std::istringstream stream(out_);
        for (std::string line; std::getline(stream, line);) all.push_back(Json::parse(line));
        return all;
    }

    std::string out_, err_;
};

TEST_F(Cli, OneShot) {
    EXPECT_EQ(stat(late()), 0) << err_;
    EXPECT_NE(out_.find("since the module was loaded: 15.6s"), std::string::npos) << out_;
    EXPECT_EQ(err_, "");
    EXPECT_EQ(stat("--root " + dump("marked")), 0);
    EXPECT_NE(out_.find("since mark 1: 110ms"), std::string::npos) << out_;
    EXPECT_EQ(stat("--json " + late()), 0);
    EXPECT_EQ(json_lines().size(), 1u);
    EXPECT_EQ(json_lines()[0].contains("files"), false);
    EXPECT_EQ(stat("--json --rows " + late()), 0);
    EXPECT_EQ(json_lines()[0]["files"]["migrate"].size(), 8u);
    EXPECT_EQ(stat("--openmetrics " + late()), 0);
    EXPECT_EQ(out_.substr(out_.size() - 6), "# EOF\n");
}

TEST_F(Cli, OutputFileIsReplacedAtOnce) {
    const std::string path = put("metrics", "old");
    EXPECT_EQ(stat("--openmetrics -o " + path + " " + late()), 0);
    EXPECT_EQ(out_, "");
    EXPECT_EQ(lbtools::read_file(path).find("# TYPE"), 0u);
    expect_refused(stat("-o " + (dir_ / "no" / "where").string() + " " + late()), 3, "where");
    expect_refused(stat("-i 0.01 -n 1 -o " + (dir_ / "no" / "where").string() + " " + late()), 3,
                   "where");
    EXPECT_EQ(shell("cfslbstat " + late() + " >/dev/full"), 3);
    EXPECT_NE(err_.find("stdout: No space left"), std::string::npos) << err_;
}

TEST_F(Cli, BadUsage) {
    const std::pair<const char*, const char*> cases[] = {
        {"--wrong", "--wrong"},
        {"sleep 1", "a command comes after --"},
        {"-i 0", "-i must be"},
        {"-i nan", "-i must be"},
        {"-i x", "-i"},
        {"-i 1 -n 0", "-n must be"},
        {"-n 1", "-n needs -i"},
        {"--rows", "--rows needs --json"},
        {"--json --openmetrics", "exclude"},
        {"--json --top", "exclude"},
        {"--openmetrics -i 1", "does not go with -i"},
        {"--top -- true", "do not go with a command"},
        {"-i 1 -- true", "do not go with a command"},
        {"--", "no command"},
        {"--root ''", "--root"},
    };
    for (const auto& [arguments, part] : cases) {
        SCOPED_TRACE(arguments);
        expect_refused(stat(std::string(arguments)), 2, part);
    }
    EXPECT_EQ(stat("--help"), 0);
    EXPECT_NE(out_.find("Exit codes:"), std::string::npos);
}

TEST_F(Cli, BadInput) {
    expect_refused(stat("--root " + (dir_ / "none").string()), 2, "none/schema: No such file");
    copy("late");
    set_heading("abi=1", "abi=2");
    const std::string tree = "--root " + (dir_ / "tree").string();
    for (const char* const mode : {"", "-i 0.01", "--json", "--openmetrics"}) {
        expect_refused(stat(tree + " " + mode), 2, "abi 2");
    }
    expect_refused(stat(tree + " -- touch " + (dir_ / "ran").string()), 2, "abi 2");
    EXPECT_FALSE(fs::exists(dir_ / "ran"));
}

TEST_F(Cli, DefaultRootSaysWhatToDo) {
    if (fs::exists("/sys/kernel/debug/cfslb")) GTEST_SKIP() << "the module is loaded here";
    const int code = stat("");
    EXPECT_EQ(code, 3);
    EXPECT_TRUE(err_.find("mount -t debugfs") != std::string::npos ||
                err_.find("modprobe cfslb") != std::string::npos ||
                err_.find("remount,mode=755") != std::string::npos)
        << err_;
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
}

TEST_F(Cli, UnreadableFolder) {
    if (geteuid() == 0 && std::system("setpriv --version >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "no setpriv to give up root with";
    }
    copy("late");
    fs::permissions(dir_ / "tree", fs::perms::none);
    fs::permissions(dir_, fs::perms::all);
    // The program itself may lie where only root may go.
    fs::copy(CFSLBSTAT, dir_ / "program");
    const std::string as_user = geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : "";
    expect_refused(
        shell(as_user + (dir_ / "program").string() + " --root " + (dir_ / "tree").string()), 2,
        "Permission denied");
    fs::permissions(dir_ / "tree", fs::perms::all);
}

TEST_F(Cli, LinesRepeatTheirHeader) {
    EXPECT_EQ(stat("-i 0.01 -n 25 " + late()), 0) << err_;
    EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 27);
    const std::size_t first = out_.find("moves"), second = out_.find("moves", first + 1);
    ASSERT_NE(second, std::string::npos) << out_;
    EXPECT_EQ(std::count(out_.begin() + first, out_.begin() + second, '\n'), 21);
    EXPECT_EQ(out_.find("moves", second + 1), std::string::npos);
    EXPECT_EQ(stat("-i 0.01 -n 3 --json " + late()), 0);
    ASSERT_EQ(json_lines().size(), 3u);
    EXPECT_EQ(json_lines()[2]["kind"], "interval");
    EXPECT_EQ(json_lines()[2]["migrations"][0]["tasks"], 0);
}

// The tree is a link that the command line turns to another dump.
TEST_F(Cli, MarkReloadAndAbsenceBetweenLines) {
    const std::string link = dir_ / "root";
    const auto turn = [&](const std::string& name) {
        return fmt::format("ln -sfn {} {}.new && mv -T {}.new {}", dump(name), link, link, link);
    };
    const std::string script =
        turn("early") +
        fmt::format("; cfslbstat --json --root {} -i 0.4 -n 5 & sleep 0.6; ", link) + turn("late") +
        "; sleep 0.4; " + turn("marked") + "; sleep 0.4; rm " + link + "; sleep 0.4; " +
        turn("reloaded") + "; wait";
    EXPECT_EQ(shell(script), 0) << err_;
    const auto lines = json_lines();
    ASSERT_EQ(lines.size(), 5u) << out_;
    EXPECT_EQ(lines[0]["migrations"][0]["tasks"], 0);
    EXPECT_EQ(lines[1]["restart"], nullptr);
    EXPECT_GT(lines[1]["migrations"][0]["tasks"], 0);
    EXPECT_LT(lines[1]["migrations"][0]["tasks"], 220);
    EXPECT_NE(lines[2]["restart"].get<std::string>().find("mark"), std::string::npos);
    EXPECT_EQ(lines[2]["migrations"][0]["tasks"], 1);
    EXPECT_EQ(lines[3]["kind"], "gone");
    EXPECT_NE(lines[4]["restart"].get<std::string>().find("loaded again"), std::string::npos);
    EXPECT_EQ(lines[4]["migrations"][0]["tasks"], 35);
}

TEST_F(Cli, CommandPassesItsExitCodeOn) {
    EXPECT_EQ(stat(late() + " -- sh -c 'echo hello; exit 7'"), 7);
    EXPECT_EQ(out_, "hello\n");
    EXPECT_NE(err_.find("while 'sh -c echo hello; exit 7' ran"), std::string::npos) << err_;
    EXPECT_EQ(stat(late() + " -- sh -c 'kill -TERM $$'"), 143);
    expect_refused(stat(late() + " -- /no/such/program"), 127, "/no/such/program: No such file");
    expect_refused(stat(late() + " -- /etc/passwd"), 126, "Permission denied");
    EXPECT_EQ(stat(late() + " --json -o " + (dir_ / "o").string() + " -- true -x --json"), 0);
    const Json json = Json::parse(lbtools::read_file(dir_ / "o"));
    EXPECT_EQ(json["command"], Json::parse(R"(["true", "-x", "--json"])"));
    EXPECT_EQ(json["exit"], 0);
    EXPECT_EQ(json["kind"], "command");
}

TEST_F(Cli, CommandDuringWhichFilesChange) {
    copy("early");
    const std::string tree = dir_ / "tree";
    EXPECT_EQ(
        stat(fmt::format("--json --root {0} -- cp {1}/migrate {1}/distance {1}/info {1}/lb {0}",
                         tree, dump("late"))),
        0);
    const Json json = Json::parse(err_);
    EXPECT_EQ(json["restart"], nullptr);
    EXPECT_GT(json["span_ns"], 0);
    EXPECT_GT(json["balance_all"]["calls"], 0);
    EXPECT_EQ(json["newidle"]["tries"], 0);
    // The figures cannot be read any more, but the command's code is what counts.
    EXPECT_EQ(stat(fmt::format("--root {0} -- sh -c 'rm -r {0}; exit 9'", tree)), 9);
    EXPECT_NE(err_.find("No such file"), std::string::npos) << err_;
    copy("early");
    EXPECT_EQ(stat(fmt::format("--root {0} -- rm -r {0}", tree)), 2);
}

TEST_F(Cli, InterruptIsPassedOnAndEndsLines) {
    // By its path: as the shell's function it would be the child of what $! names.
    EXPECT_EQ(
        shell(fmt::format("{} {} -i 5 & sleep 0.3; kill -TERM $!; wait $!", CFSLBSTAT, late())),
        143);
    // Only cfslbstat gets the signal; the command ends by it and the figures are shown.
    const std::string command = fmt::format(
        "{} {} -- sh -c 'trap \"exit 5\" TERM; sleep 5 & wait' & sleep 0.5; kill -TERM $!; wait $!",
        CFSLBSTAT, late());
    EXPECT_EQ(shell(command), 5);
    EXPECT_NE(err_.find("migrations"), std::string::npos) << err_;
}

TEST_F(Cli, TopNeedsATerminal) {
    expect_refused(shell("cfslbstat --top " + late() + " </dev/null"), 2, "--top needs a terminal");
}

// cfslbstat --top in a terminal of its own.
class Terminal : public Cli {
  protected:
    void start(const std::string& term, std::vector<std::string> words) {
        master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        ASSERT_GE(master_, 0);
        ASSERT_EQ(grantpt(master_) | unlockpt(master_), 0);
        // Held open, so that the modes can be looked at when the program has gone.
        slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
        ASSERT_GE(slave_, 0);
        const winsize size = {24, 90, 0, 0};
        ASSERT_EQ(ioctl(master_, TIOCSWINSZ, &size), 0);
        ASSERT_EQ(tcgetattr(slave_, &before_), 0);
        words.insert(words.begin(), {CFSLBSTAT, "--top"});
        pid_ = fork();
        ASSERT_GE(pid_, 0);
        if (pid_ == 0) child(term, words);
    }

    [[noreturn]] void child(const std::string& term, std::vector<std::string>& words) const {
        setsid();
        ioctl(slave_, TIOCSCTTY, 0);
        for (const int to : {0, 1, 2}) dup2(slave_, to);
        setenv("TERM", term.c_str(), 1);
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(99);
    }

    // Takes what the terminal was told since the last time. False: nothing.
    bool take() {
        fcntl(master_, F_SETFL, O_NONBLOCK);
        char buffer[4096];
        const ssize_t got = read(master_, buffer, sizeof(buffer));
        if (got > 0) seen_.append(buffer, static_cast<std::size_t>(got));
        return got > 0;
    }

    // Until the condition is met, or it is clear that it will not be.
    template <typename Condition>
    static bool eventually(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < end) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

    bool wait_for(const std::string& part) {
        return eventually([&] {
            while (take()) continue;
            return seen_.find(part) != std::string::npos;
        });
    }

    void key(char c) { ASSERT_EQ(write(master_, &c, 1), 1); }

    // Its exit code, as a shell would say it. The terminal's modes are as before.
    int finish() {
        int status = 0;
        const bool ended = eventually([&] {
            while (take()) continue;
            return waitpid(pid_, &status, WNOHANG) == pid_;
        });
        if (!ended) {
            kill(pid_, SIGKILL);
            waitpid(pid_, &status, 0);
        }
        while (take()) continue;
        termios after = {};
        EXPECT_EQ(tcgetattr(slave_, &after), 0);
        EXPECT_EQ(after.c_lflag, before_.c_lflag);
        EXPECT_EQ(after.c_iflag, before_.c_iflag);
        EXPECT_EQ(after.c_oflag, before_.c_oflag);
        close(slave_);
        close(master_);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    void expect_restored() const {
        const std::size_t enter = seen_.find("\x1b[?1049h"), leave = seen_.rfind("\x1b[?1049l");
        ASSERT_NE(enter, std::string::npos) << seen_;
        ASSERT_NE(leave, std::string::npos) << seen_;
        EXPECT_LT(enter, leave);
    }

    std::vector<std::string> words(const std::string& more = "-i 0.1") const {
        std::vector<std::string> all = {"--root", dump("late")};
        std::istringstream stream(more);
        for (std::string word; stream >> word;) all.push_back(word);
        return all;
    }

    int master_ = -1, slave_ = -1;
    termios before_ = {};
    pid_t pid_ = -1;
    std::string seen_;
};

TEST_F(Terminal, KeyQuits) {
    start("xterm", words());
    ASSERT_TRUE(wait_for("balance/s")) << seen_;
    key('p');
    ASSERT_TRUE(wait_for("paused")) << seen_;
    key('q');
    EXPECT_EQ(finish(), 0);
    expect_restored();
}

TEST_F(Terminal, EndsAfterItsCount) {
    start("xterm", words("-i 0.05 -n 3"));
    EXPECT_EQ(finish(), 0);
    expect_restored();
}

TEST_F(Terminal, SignalsRestore) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        seen_.clear();
        start("xterm", words());
        ASSERT_TRUE(wait_for("balance/s")) << seen_;
        kill(pid_, signal);
        EXPECT_EQ(finish(), 128 + signal);
        expect_restored();
    }
}

TEST_F(Terminal, FaultRestores) {
    start("xterm", words());
    ASSERT_TRUE(wait_for("balance/s")) << seen_;
    kill(pid_, SIGABRT);
    EXPECT_EQ(finish(), 128 + SIGABRT);
    expect_restored();
}

TEST_F(Terminal, ErrorRestoresAndIsSaid) {
    copy("late");
    start("xterm", {"--root", dir_ / "tree", "-i", "0.1"});
    ASSERT_TRUE(wait_for("balance/s")) << seen_;
    set("migrate", {"2"}, "wake", "x");
    EXPECT_EQ(finish(), 2);
    expect_restored();
    EXPECT_GT(seen_.find("'x' is no number"), seen_.rfind("\x1b[?1049l")) << seen_;
}

TEST_F(Terminal, DumbTerminalIsOneClearError) {
    for (const char* const term : {"dumb", "no-such-terminal"}) {
        seen_.clear();
        start(term, words());
        EXPECT_EQ(finish(), 2);
        EXPECT_NE(seen_.find("can place its cursor, and TERM=" + std::string(term)),
                  std::string::npos)
            << seen_;
        EXPECT_EQ(seen_.find('\x1b'), std::string::npos);
    }
}

}  // namespace
}  // namespace cfslbstat
