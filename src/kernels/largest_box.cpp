#include "kernels/largest_box.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace cfrules {

namespace {

// Sums of (p - threshold) carry rounding of this size per unit of mass; a box on the threshold must pass.
constexpr double kGainSlack = 1e-12;

// A grid with one axis less: the sum of a run of slabs.
struct Slab {
  std::vector<double> mass;
  std::vector<double> gain;
  std::vector<std::uint8_t> blocked;

  Slab(std::size_t cells, bool gains) : mass(cells, 0.0), gain(gains ? cells : 0, 0.0), blocked(cells, 0) {}
};

struct View {
  std::span<const double> mass;
  std::span<const double> gain;
  std::span<const std::uint8_t> blocked;
};

class Search {
 public:
  explicit Search(const BoxProblem& problem) : problem_(problem), outer_(problem.shape.size()) {}

  BoxAnswer run() {
    solve(0, {problem_.mass, problem_.gain, problem_.blocked});
    answer_.optimal = !stopped_;
    return std::move(answer_);
  }

 private:
  [[nodiscard]] bool gains() const { return !problem_.gain.empty(); }

  void solve(std::size_t axis, const View& view) {
    const std::size_t axes_left = problem_.shape.size() - axis;
    if (axes_left == 1) return solve_line(axis, view);
    if (axes_left == 2 && !gains()) return solve_plane(axis, view);
    solve_by_slabs(axis, view);
  }

  bool spend(std::size_t cells) {
    work_ += cells;
    if (problem_.work_limit > 0 && work_ > problem_.work_limit) stopped_ = true;
    return !stopped_;
  }

  void offer(double mass) {
    if (!can_win(mass)) return;
    answer_.found = true;
    answer_.mass = mass;
    answer_.sides = outer_;
  }

  [[nodiscard]] bool can_win(double mass) const { return answer_.found ? mass > answer_.mass : mass > problem_.beat || problem_.beat == 0; }

  // Every interval of this axis, as the sum of its slabs, has its own problem with one axis less.
  void solve_by_slabs(std::size_t axis, const View& view) {
    const std::size_t length = problem_.shape[axis];
    const std::size_t cells = view.mass.size() / length;
    std::vector<double> mass_from(length + 1, 0.0);  // mass of slabs first, first + 1, ...
    for (std::size_t first = length; first-- > 0;)
      mass_from[first] = mass_from[first + 1] + std::accumulate(view.mass.begin() + static_cast<std::ptrdiff_t>(first * cells),
                                                                view.mass.begin() + static_cast<std::ptrdiff_t>((first + 1) * cells), 0.0);
    for (std::size_t first = 0; first < length && can_win(mass_from[first]); ++first) {  // mass only falls from here on
      Slab slab(cells, gains());
      for (std::size_t last = first; last < length; ++last) {
        if (!spend(cells)) return;
        const double unblocked = add(view, last * cells, slab);
        outer_[axis] = {first, last};
        if (can_win(unblocked)) solve(axis + 1, {slab.mass, slab.gain, slab.blocked});
        if (!can_win(unblocked + mass_from[last + 1])) break;  // what is blocked stays blocked
      }
    }
  }

  // The mass that is left in cells without a block: no box of the slab is heavier.
  static double add(const View& view, std::size_t offset, Slab& slab) {
    const std::size_t cells = slab.mass.size();
    for (std::size_t cell = 0; cell < cells; ++cell) slab.mass[cell] += view.mass[offset + cell];
    for (std::size_t cell = 0; cell < slab.gain.size(); ++cell) slab.gain[cell] += view.gain[offset + cell];
    for (std::size_t cell = 0; cell < cells; ++cell) slab.blocked[cell] |= view.blocked[offset + cell];
    double unblocked = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) unblocked += slab.blocked[cell] != 0 ? 0.0 : slab.mass[cell];
    return unblocked;
  }

  void solve_line(std::size_t axis, const View& view) {
    const std::size_t length = problem_.shape[axis];
    if (!spend(length)) return;
    for (std::size_t first = 0; first < length;) {
      if (view.blocked[first] != 0) {
        ++first;
        continue;
      }
      std::size_t end = first;
      while (end < length && view.blocked[end] == 0) ++end;
      solve_run(axis, view, first, end);
      first = end;
    }
  }

  // The heaviest interval in a run without blocked cells. With gains: prefix sums, and a stack of the starts that no
  // earlier start beats (their prefixes fall); each end, from the right, takes the earliest start it can.
  void solve_run(std::size_t axis, const View& view, std::size_t first, std::size_t end) {
    mass_prefix_.assign(1, 0.0);
    for (std::size_t i = first; i < end; ++i) mass_prefix_.push_back(mass_prefix_.back() + view.mass[i]);
    if (!gains()) {
      outer_[axis] = {first, end - 1};
      return offer(mass_prefix_.back());
    }
    gain_prefix_.assign(1, 0.0);
    for (std::size_t i = first; i < end; ++i)
      gain_prefix_.push_back(gain_prefix_.back() + view.gain[i] + kGainSlack * view.mass[i]);
    starts_.clear();
    for (std::size_t i = 0; i + first < end; ++i)
      if (starts_.empty() || gain_prefix_[i] < gain_prefix_[starts_.back()]) starts_.push_back(i);
    for (std::size_t stop = end - first; stop > 0 && !starts_.empty(); --stop) {
      while (!starts_.empty() && (starts_.back() >= stop || gain_prefix_[starts_.back()] <= gain_prefix_[stop])) {
        if (starts_.back() < stop) {
          outer_[axis] = {first + starts_.back(), first + stop - 1};
          offer(mass_prefix_[stop] - mass_prefix_[starts_.back()]);
        }
        starts_.pop_back();
      }
    }
  }

  // Without gains the heaviest box is one that cannot grow; all of those show up as "largest rectangle under a
  // histogram" of free cells above each row, and prefix sums give their mass.
  void solve_plane(std::size_t axis, const View& view) {
    const std::size_t height = problem_.shape[axis];
    const std::size_t width = problem_.shape[axis + 1];
    if (!spend(2 * height * width)) return;
    fill_plane_prefix(view, height, width);
    free_above_.assign(width + 1, 0);  // one column of height 0 at the end closes all open rectangles
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t column = 0; column < width; ++column)
        free_above_[column] = view.blocked[row * width + column] != 0 ? 0 : free_above_[column] + 1;
      open_.clear();
      for (std::size_t column = 0; column <= width; ++column) {
        std::size_t left = column;
        while (!open_.empty() && open_.back().height >= free_above_[column]) {
          left = open_.back().left;
          offer_plane(axis, row + 1 - open_.back().height, row, left, column - 1, width);
          open_.pop_back();
        }
        if (free_above_[column] > 0) open_.push_back({left, free_above_[column]});
      }
    }
  }

  void fill_plane_prefix(const View& view, std::size_t height, std::size_t width) {
    plane_prefix_.assign((height + 1) * (width + 1), 0.0);
    for (std::size_t row = 0; row < height; ++row) {
      double line = 0;
      for (std::size_t column = 0; column < width; ++column) {
        line += view.mass[row * width + column];
        plane_prefix_[(row + 1) * (width + 1) + column + 1] = plane_prefix_[row * (width + 1) + column + 1] + line;
      }
    }
  }

  void offer_plane(std::size_t axis, std::size_t top, std::size_t bottom, std::size_t left, std::size_t right, std::size_t width) {
    const std::size_t stride = width + 1;
    const double mass = plane_prefix_[(bottom + 1) * stride + right + 1] - plane_prefix_[top * stride + right + 1] -
                        plane_prefix_[(bottom + 1) * stride + left] + plane_prefix_[top * stride + left];
    if (!can_win(mass)) return;
    outer_[axis] = {top, bottom};
    outer_[axis + 1] = {left, right};
    offer(mass);
  }

  struct OpenRectangle {
    std::size_t left;
    std::size_t height;
  };

  const BoxProblem& problem_;
  std::vector<IndexRange> outer_;  // the box being tried
  BoxAnswer answer_;
  std::size_t work_ = 0;
  bool stopped_ = false;
  std::vector<double> mass_prefix_, gain_prefix_, plane_prefix_;
  std::vector<std::size_t> starts_, free_above_;
  std::vector<OpenRectangle> open_;
};

}  // namespace

BoxAnswer largest_box(const BoxProblem& problem) { return Search(problem).run(); }

}  // namespace cfrules
