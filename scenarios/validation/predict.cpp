#include "scenarios/validation/predict.h"

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "core/errors.h"
#include "scenarios/load.h"
#include "scenarios/run.h"
#include "scenarios/validation/mapping.h"

namespace tahoma {

namespace {

// Rows of one scenario but for their sizes.
struct RowList {
  std::vector<std::size_t> rows;  // indices
  std::set<std::uint64_t> sizes;
};

std::vector<RowList> lists_of(const std::vector<MeasuredRow>& rows, std::vector<Prediction>& predictions) {
  std::map<std::string, std::size_t> by_text;
  std::vector<RowList> lists;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    try {
      const auto [at, is_new] = by_text.emplace(scenario_text(rows[r], "any", {1}), lists.size());
      if (is_new) lists.emplace_back();
      lists[at->second].rows.push_back(r);
      lists[at->second].sizes.insert(rows[r].bytes);
    } catch (const Unmapped& unmapped) {
      predictions[r].why_not = unmapped.because;
    }
  }
  return lists;
}

std::map<std::uint64_t, Prediction> answers(const MeasuredRow& row, const std::vector<std::uint64_t>& sizes,
                                            const std::vector<std::string>& sets) {
  LoadRequest request;
  request.sets = sets;
  request.file = row.id;
  request.text = scenario_text(row, row.id, sizes);
  RunOptions options;
  options.advise = false;
  const Result result = run(load(request), options);
  std::map<std::uint64_t, Prediction> found;
  for (const CollectiveRow& answer : result.collectives) {
    found[answer.bytes] = {answer.time, answer.algorithm, ""};
  }
  return found;
}

// One size: its time, or why there is none.
Prediction answer_alone(const MeasuredRow& row, const std::vector<std::string>& sets) {
  try {
    const auto found = answers(row, {row.bytes}, sets);
    const auto at = found.find(row.bytes);
    if (at == found.end()) return {std::nullopt, "", "the run reports another size than was asked for"};
    if (at->second.time->ps <= 0) return {std::nullopt, "", "the run takes no time at all"};
    return at->second;
  } catch (const ScenarioError& error) {
    return {std::nullopt, "", error.what()};
  } catch (const InfeasibleError& error) {
    return {std::nullopt, "", error.what()};
  }
}

void answer_list(const std::vector<MeasuredRow>& rows, const RowList& list,
                 const std::vector<std::string>& sets, std::vector<Prediction>& predictions) {
  const MeasuredRow& first = rows[list.rows.front()];
  std::map<std::uint64_t, Prediction> found;
  try {
    found = answers(first, {list.sizes.begin(), list.sizes.end()}, sets);
  } catch (const ScenarioError&) {
    found.clear();
  } catch (const InfeasibleError&) {
    found.clear();
  }
  for (const std::size_t r : list.rows) {
    const auto at = found.find(rows[r].bytes);
    const bool good = at != found.end() && at->second.time->ps > 0;
    predictions[r] = good ? at->second : answer_alone(rows[r], sets);
  }
}

class Crew {
 public:
  Crew(std::size_t lists, const PredictOptions& options) : lists_(lists), options_(options) {}

  void work(const std::function<void(std::size_t)>& answer) {
    const unsigned wanted =
        options_.threads != 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (std::size_t t = 1; t < std::min<std::size_t>(wanted, lists_); ++t) {
      threads.emplace_back([&] { take_turns(answer); });
    }
    take_turns(answer);
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void take_turns(const std::function<void(std::size_t)>& answer) {
    for (;;) {
      const std::size_t list = next_.fetch_add(1);
      if (list >= lists_ || (options_.interrupted != nullptr && options_.interrupted->load())) return;
      std::exception_ptr failure;
      try {
        answer(list);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard<std::mutex> lock(mutex_);
      if (failure && !failure_) failure_ = failure;
      ++done_;
      if (options_.on_progress) options_.on_progress(done_, lists_);
      if (failure_) return;
    }
  }

  std::size_t lists_;
  const PredictOptions& options_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<Prediction> predict(const std::vector<MeasuredRow>& rows, const PredictOptions& options) {
  std::vector<Prediction> predictions(rows.size());
  const std::vector<RowList> lists = lists_of(rows, predictions);
  Crew(lists.size(), options).work([&](std::size_t list) {
    answer_list(rows, lists[list], options.sets, predictions);
  });
  for (Prediction& prediction : predictions) {
    if (!prediction.time && prediction.why_not.empty()) prediction.why_not = "interrupted";
  }
  return predictions;
}

}  // namespace tahoma
