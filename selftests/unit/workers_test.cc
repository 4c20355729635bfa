// SPDX-License-Identifier: GPL-2.0
// The only tests that fork: short, and each wait has an end.
#include "lib/workers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/affinity.h"
#include "lib/deadline.h"
#include "lib/errors.h"
#include "lib/sampler.h"

using namespace cfslb;

namespace {

constexpr int64_t kPatienceMs = 20000;

template <typename Condition>
bool eventually(Condition condition) {
    for (Deadline deadline(kPatienceMs); !deadline.passed(); deadline.pause()) {
        if (condition()) return true;
    }
    return false;
}

}  // namespace

TEST(Workers, StandAtTheGateUntilReleased) {
    Workers workers({WorkerSpec()});
    EXPECT_EQ(workers.slot(0).beats.load(), 0u);
    EXPECT_EQ(workers.slot(0).cpu.load(), -1);
    workers.release();
    EXPECT_TRUE(eventually([&] { return workers.slot(0).beats.load() > 10; }));
    EXPECT_GE(workers.slot(0).cpu.load(), 0);
    EXPECT_NO_THROW(workers.check_alive());
}

TEST(Workers, KeepToTheirAffinity) {
    int last = own_affinity().back();
    WorkerSpec spec;
    spec.affinity = {last};
    Workers workers({spec});
    workers.release();
    ASSERT_TRUE(eventually([&] { return workers.slot(0).beats.load() > 10; }));
    EXPECT_EQ(workers.slot(0).cpu.load(), last);
    int first = own_affinity().front();
    workers.set_affinity(0, {first});
    EXPECT_TRUE(eventually([&] { return workers.slot(0).cpu.load() == first; }));
}

TEST(Workers, DutyCycleSleepsAndWorks) {
    WorkerSpec spec;
    spec.run_us = 500;
    spec.period_us = 20000;
    Workers workers({spec});
    workers.release();
    EXPECT_TRUE(eventually([&] { return workers.slot(0).sleeping.load() == 1; }));
    uint64_t beats = workers.slot(0).beats.load();
    EXPECT_GT(beats, 0u);
    EXPECT_TRUE(eventually([&] { return workers.slot(0).beats.load() > beats; }));
}

TEST(Workers, SetUpFailureNamesTheStep) {
    WorkerSpec spec;
    spec.affinity = {kMaxCpus - 1};
    try {
        Workers workers({WorkerSpec(), spec});
        FAIL();
    } catch (const SystemError& e) {
        EXPECT_STREQ(e.what(), "cannot set the affinity as worker 1: Invalid argument");
    }
    WorkerSpec lost;
    lost.cgroup_procs = "/nonexistent/cgroup.procs";
    EXPECT_THROW(Workers({lost}), SystemError);
}

TEST(Workers, LeaveNobodyBehind) {
    { Workers workers({WorkerSpec(), WorkerSpec()}); }
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

TEST(Sampler, ReadsSlots) {
    Workers workers({WorkerSpec(), WorkerSpec()});
    workers.release();
    ASSERT_TRUE(eventually([&] { return workers.slot(1).beats.load() > 0; }));
    Samples samples(2, 1);
    take_sample(workers, 5, samples);
    EXPECT_TRUE(samples.full());
    EXPECT_EQ(samples.time_ns(0), 5);
    EXPECT_GT(samples.at(0, 1).beats, 0u);
    EXPECT_GE(samples.at(0, 1).cpu, 0);
    EXPECT_FALSE(samples.at(0, 1).sleeping);
}

TEST(Workers, HeldOnesSleepUntilLetGo) {
    WorkerSpec spec;
    spec.held = true;
    Workers workers({spec});
    EXPECT_EQ(workers.slot(0).sleeping.load(), 1u);
    workers.release();
    workers.hold(0, false);
    ASSERT_TRUE(eventually([&] { return workers.slot(0).beats.load() > 10; }));
    EXPECT_GT(workers.cpu_ms(0), 0);
    workers.hold(0, true);
    EXPECT_TRUE(eventually([&] { return workers.slot(0).sleeping.load() == 1; }));
    uint64_t beats = workers.slot(0).beats.load();
    workers.hold(0, false);
    EXPECT_TRUE(eventually([&] { return workers.slot(0).beats.load() > beats; }));
}

TEST(Workers, ForkTheirOwn) {
    WorkerSpec forker;
    forker.only_forks = true;
    WorkerSpec child;
    child.forked_by = 0;
    {
        Workers workers({forker, child, child});
        EXPECT_EQ(workers.slot(1).sleeping.load(), 1u);  // not there yet, so it does not wait
        EXPECT_EQ(workers.slot(1).first_cpu.load(), -1);
        EXPECT_DOUBLE_EQ(workers.cpu_ms(1), 0);
        workers.release();
        for (size_t i : {1, 2}) {
            ASSERT_TRUE(eventually([&] { return workers.slot(i).beats.load() > 10; }));
            EXPECT_GE(workers.slot(i).first_cpu.load(), 0);
            EXPECT_EQ(workers.slot(i).sleeping.load(), 0u);
        }
        EXPECT_EQ(workers.slot(0).sleeping.load(), 1u);
        int first = own_affinity().front();
        workers.set_affinity(1, {first});
        EXPECT_TRUE(eventually([&] { return workers.slot(1).cpu.load() == first; }));
        EXPECT_NO_THROW(workers.check_alive());
    }
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

TEST(Workers, BodyReplacesTheBurning) {
    WorkerSpec spec;
    spec.body = [](Slot& slot) {
        slot.beats = 7;
        for (;;) pause();
    };
    Workers workers({spec});
    workers.release();
    EXPECT_TRUE(eventually([&] { return workers.slot(0).beats.load() == 7; }));
}
