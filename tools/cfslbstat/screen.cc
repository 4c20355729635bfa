// SPDX-License-Identifier: GPL-2.0
#include "screen.h"

#include <curses.h>
#include <fmt/format.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "model.h"

namespace cfslbstat {
namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a handler of a fault needs, which may call next to nothing.
termios g_old_modes;
char g_leave[64];  // the terminal's sequences that end full-screen mode
SCREEN* g_screen = nullptr;

void on_fault(int signal) {
    const ssize_t written = write(STDOUT_FILENO, g_leave, strlen(g_leave));
    static_cast<void>(written);
    tcsetattr(STDOUT_FILENO, TCSANOW, &g_old_modes);
    std::signal(signal, SIG_DFL);
    raise(signal);
}

void add_sequence(const char* capability) {
    const char* const sequence = tigetstr(capability);
    if (sequence == nullptr || sequence == reinterpret_cast<const char*>(-1)) return;
    if (strlen(g_leave) + strlen(sequence) < sizeof(g_leave)) strcat(g_leave, sequence);
}

bool has(const char* capability) {
    const char* const sequence = tigetstr(capability);
    return sequence != nullptr && sequence != reinterpret_cast<const char*>(-1);
}

void check_terminal() {
    if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) {
        throw InputError("--top needs a terminal: use -i 1 for lines");
    }
    const char* const name = std::getenv("TERM");
    int error = 0;
    if (setupterm(nullptr, STDOUT_FILENO, &error) != OK || !has("cup") || !has("clear")) {
        throw InputError(fmt::format(
            "--top needs a terminal that can place its cursor, and TERM={} is not known as one: "
            "use -i 1 for lines",
            name == nullptr ? "" : name));
    }
}

int attributes(Colour colour) {
    switch (colour) {
        case Colour::kBold:
            return A_BOLD;
        case Colour::kCool:
            return has_colors() ? COLOR_PAIR(1) : A_NORMAL;
        case Colour::kWarm:
            return has_colors() ? COLOR_PAIR(2) : A_NORMAL;
        case Colour::kHot:
            return has_colors() ? COLOR_PAIR(3) | A_BOLD : A_BOLD;
        case Colour::kPlain:
            break;
    }
    return A_NORMAL;
}

void start_colours() {
    const char* const no_color = std::getenv("NO_COLOR");
    if (!has_colors() || (no_color != nullptr && *no_color != '\0')) return;
    start_color();
    use_default_colors();
    init_pair(1, COLOR_GREEN, -1);
    init_pair(2, COLOR_YELLOW, -1);
    init_pair(3, COLOR_RED, -1);
}

}  // namespace

Screen::Screen() {
    std::setlocale(LC_ALL, "");
    check_terminal();
    tcgetattr(STDOUT_FILENO, &g_old_modes);
    for (const char* const capability : {"sgr0", "rmcup", "cnorm", "rmkx"}) {
        add_sequence(capability);
    }
    g_screen = newterm(nullptr, stdout, stdin);
    if (g_screen == nullptr) throw InputError("--top: the terminal cannot be set up");
    for (const int fault : kFaults) std::signal(fault, on_fault);
    start_colours();
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
}

Screen::~Screen() {
    endwin();
    delscreen(g_screen);
    for (const int fault : kFaults) std::signal(fault, SIG_DFL);
}

std::size_t Screen::width() const { return static_cast<std::size_t>(COLS); }
std::size_t Screen::height() const { return static_cast<std::size_t>(LINES); }

// Not "lines": term.h has a macro of that name.
void Screen::show(const std::vector<Line>& picture) {
    erase();
    for (std::size_t y = 0; y < picture.size(); ++y) {
        move(static_cast<int>(y), 0);
        for (const Piece& piece : picture[y]) {
            const int attribute = attributes(piece.colour);
            attron(attribute);
            addnstr(piece.text.data(), static_cast<int>(piece.text.size()));
            attroff(attribute);
        }
    }
    refresh();
}

int Screen::key() {
    const int key = getch();
    return key == ERR || key == KEY_RESIZE ? 0 : key;
}

}  // namespace cfslbstat
