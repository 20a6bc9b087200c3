// Ctrl-C: a thread waits for the signal and asks the running call to stop. If nothing has stopped within a second (a
// read that blocks, for instance) the process ends, unless a file is just being put in place.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace cfrules::cli {

class Interrupt {
 public:
  Interrupt();  // before any other thread is started: they inherit the blocked signals
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  // While one of these lives the process is not ended from outside, so that nothing is left half-written.
  class Hold {
   public:
    explicit Hold(Interrupt& interrupt) : interrupt_(interrupt) { interrupt_.hold(true); }
    ~Hold() { interrupt_.hold(false); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Interrupt& interrupt_;
  };

 private:
  void watch();
  void hold(bool on);

  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  bool held_ = false;
  std::thread thread_;
};

}  // namespace cfrules::cli
