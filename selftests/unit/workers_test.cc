// SPDX-License-Identifier: GPL-2.0
// The only tests that fork: short, and each wait has an end.
#include "lib/workers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

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
