// SPDX-License-Identifier: GPL-2.0
// Memory that a driver shares with the tasks that it forks.
#ifndef CFSLB_SHARED_H
#define CFSLB_SHARED_H

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "errors.h"
#include "files.h"

namespace cfslb {

// A T, all zero at first, shared with forked tasks and, by its descriptor, across exec. The
// constructor throws SystemError.
template <typename T>
class Shared {
  public:
    Shared() : fd_(memfd_create("cfslb-shared", 0)) {
        if (fd_.get() < 0 || ftruncate(fd_.get(), sizeof(T)) != 0) {
            throw SystemError("make", "shared memory", errno);
        }
        at_ = map(fd_.get());
        if (!at_) throw SystemError("map", "shared memory", errno);
    }
    ~Shared() { munmap(at_, sizeof(T)); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    // The T behind the descriptor of another task's; nullptr on failure.
    static T* map(int fd) {
        void* at = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return at == MAP_FAILED ? nullptr : static_cast<T*>(at);
    }
    T& operator*() { return *at_; }
    T* operator->() { return at_; }
    int fd() const { return fd_.get(); }

  private:
    Fd fd_;
    T* at_ = nullptr;
};

}  // namespace cfslb

#endif
