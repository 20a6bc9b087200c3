#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

namespace cfrules::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{700};
constexpr int kInterruptedCode = 130;

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

Interrupt::Interrupt() {
  ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, not a sudden death
  ::signal(SIGXFSZ, SIG_IGN);  // so is a file that may not grow any more
  const sigset_t signals = watched_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  ::pthread_kill(thread_.native_handle(), SIGTERM);  // wakes the watcher, which then sees that all is done
  thread_.join();
}

void Interrupt::watch() {
  const sigset_t signals = watched_signals();
  int signal = 0;
  ::sigwait(&signals, &signal);
  std::unique_lock lock(mutex_);
  if (done_) return;
  lock.unlock();
  stop_.request_stop();
  lock.lock();
  if (changed_.wait_for(lock, kPatience, [this] { return done_; })) return;
  changed_.wait(lock, [this] { return done_ || !held_; });
  if (!done_) ::_exit(kInterruptedCode);
}

void Interrupt::hold(bool on) {
  {
    const std::lock_guard lock(mutex_);
    held_ = on;
  }
  changed_.notify_all();
}

}  // namespace cfrules::cli
