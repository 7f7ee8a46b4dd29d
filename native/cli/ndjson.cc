// Traces by the line: for batch engines that talk to a program through its pipes. What was read at
// once is one piece of work; pieces are answered by threads and printed in order. A window of
// pieces bounds what is in memory, however fast the input comes.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "core/symbolicate/json.h"
#include "core/symbolicate/request.h"
#include "core/symbolicate/script_artifacts.h"
#include "core/symbolicate/symbolicate.h"
#include "native/cli/commands.h"
#include "native/cli/console.h"
#include "native/store/disk_files.h"

namespace twofold::cli {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;
constexpr std::size_t kLongestLineBytes = std::size_t{16} << 20;
constexpr std::size_t kPiecesPerThread = 4;
constexpr std::size_t kMostKnownScripts = 100'000;  // of one thread

// The artifacts that all threads share. Each is built once, by whoever needs it first.
class SharedArtifacts {
 public:
  SharedArtifacts(ArtifactFiles& files, ScriptArtifacts::Sources sources)
      : artifacts_(files, sources) {}

  struct Found {
    Served served;
    std::vector<ArtifactFault> faults;  // of this script
  };
  Found find(std::string_view url) {
    const std::lock_guard lock(mutex_);
    const std::size_t before = artifacts_.faults().size();
    Found found{artifacts_.find(url), {}};
    const std::vector<ArtifactFault>& faults = artifacts_.faults();
    const auto fault = found.served.fault;
    if (fault && *fault < before) found.faults.push_back(faults[*fault]);
    for (std::size_t i = before; i < faults.size(); ++i) found.faults.push_back(faults[i]);
    return found;
  }
  // Source texts index themselves when asked: one thread at a time.
  std::mutex& context_mutex() { return context_mutex_; }

 private:
  std::mutex mutex_;
  std::mutex context_mutex_;
  ScriptArtifacts artifacts_;
};

// One thread's way to them: what it knows already it finds without a lock.
class ThreadArtifacts : public ArtifactSource {
 public:
  explicit ThreadArtifacts(SharedArtifacts& shared) : shared_(shared) {}

  void begin_trace() {
    faults_.clear();
    if (known_.size() > kMostKnownScripts) known_.clear();
  }
  [[nodiscard]] Served find(std::string_view url) override {
    auto known = known_.find(std::string(url));
    if (known == known_.end()) known = known_.emplace(url, shared_.find(url)).first;
    for (const ArtifactFault& fault : known->second.faults) add(fault);
    return known->second.served;
  }
  [[nodiscard]] const std::vector<ArtifactFault>& faults() const override { return faults_; }

 private:
  void add(const ArtifactFault& fault) {
    for (const ArtifactFault& said : faults_) {
      if (said.artifact == fault.artifact && said.detail == fault.detail) return;
    }
    faults_.push_back(fault);
  }

  SharedArtifacts& shared_;
  std::unordered_map<std::string, SharedArtifacts::Found> known_;
  std::vector<ArtifactFault> faults_;
};

// Lines that were read together: whole ones, each with its newline.
struct Piece {
  PaddedBuffer lines;
  std::string answers;
  bool is_done = false;
};

// Pieces between reader, workers and printer.
class Window {
 public:
  explicit Window(std::size_t most_pieces) : most_pieces_(most_pieces) {}

  // Waits for room. False: nobody takes answers any more.
  bool add(PaddedBuffer lines) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return pieces_.size() < most_pieces_ || is_broken_; });
    if (is_broken_) return false;
    pieces_.push_back(std::make_shared<Piece>(Piece{std::move(lines), "", false}));
    to_do_.push_back(pieces_.back());
    changed_.notify_all();
    return true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }
  // Null: no more.
  std::shared_ptr<Piece> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !to_do_.empty() || has_ended_ || is_broken_; });
    if (to_do_.empty() || is_broken_) return nullptr;
    auto piece = std::move(to_do_.front());
    to_do_.pop_front();
    return piece;
  }
  void finish(Piece& piece) {
    const std::lock_guard lock(mutex_);
    piece.is_done = true;
    changed_.notify_all();
  }
  // Prints in order until the end. False: standard output is gone.
  bool print_all() {
    for (;;) {
      std::shared_ptr<Piece> piece;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock,
                      [this] { return pieces_.empty() ? has_ended_ : pieces_.front()->is_done; });
        if (pieces_.empty()) return true;
        piece = std::move(pieces_.front());
        pieces_.pop_front();
        changed_.notify_all();
      }
      if (print(piece->answers)) continue;
      const std::lock_guard lock(mutex_);
      is_broken_ = true;
      changed_.notify_all();
      return false;
    }
  }

 private:
  const std::size_t most_pieces_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Piece>> pieces_;  // in order
  std::deque<std::shared_ptr<Piece>> to_do_;
  bool has_ended_ = false;
  bool is_broken_ = false;
};

class Worker {
 public:
  Worker(SharedArtifacts& shared, std::optional<std::uint32_t> context_lines)
      : shared_(shared), artifacts_(shared), context_lines_(context_lines) {}

  void answer(Piece& piece) {
    const PaddedView lines(piece.lines);
    std::string_view rest = lines.text();
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (line.ends_with('\r')) line.remove_suffix(1);
      piece.answers += answer_line(lines.part(line));
      piece.answers += '\n';
    }
  }

 private:
  std::string answer_line(PaddedView line) {
    const auto request = reader_.parse(line);
    if (!request) return to_json(request.error());
    SymbolicateOptions options{.context_lines = request.value().context_lines};
    if (!options.context_lines) options.context_lines = context_lines_;
    artifacts_.begin_trace();
    std::unique_lock<std::mutex> lock;
    if (options.context_lines) lock = std::unique_lock(shared_.context_mutex());
    return to_json(symbolicate(request.value().trace, artifacts_, options));
  }

  SharedArtifacts& shared_;
  ThreadArtifacts artifacts_;
  RequestReader reader_;
  const std::optional<std::uint32_t> context_lines_;
};

// Fills the window with what comes in. A line that is too long becomes one that says so, so that
// answers and lines stay in step.
Status read_lines(Window& window) {
  std::string text;
  bool is_skipping = false;
  for (;;) {
    const std::size_t filled = text.size();
    text.resize(filled + kPieceBytes);
    const ssize_t got = ::read(STDIN_FILENO, text.data() + filled, kPieceBytes);
    if (got < 0 && errno == EINTR) {
      text.resize(filled);
      continue;
    }
    if (got < 0) return Error{Code::kIo, kNoOffset, "cannot be read", "standard input"};
    text.resize(filled + static_cast<std::size_t>(got));
    if (got == 0) break;
    if (is_skipping) {
      const std::size_t end = text.find('\n');
      text.erase(0, end);  // all of it when the line goes on
      if (end == std::string::npos) continue;
      text.insert(0, "too long");
      is_skipping = false;
    }
    const std::size_t whole = text.rfind('\n') + 1;  // 0: none
    if (whole > 0) {
      if (!window.add(PaddedBuffer(std::string_view(text).substr(0, whole)))) return {};
      text.erase(0, whole);
    } else if (text.size() > kLongestLineBytes) {
      text.clear();
      is_skipping = true;
    }
  }
  if (is_skipping) text = "too long";
  if (!text.empty()) (void)window.add(PaddedBuffer(std::string_view(text)));
  return {};
}

}  // namespace

int run_ndjson(const SymbolicateArguments& arguments) {
  auto files = DiskFiles::open(arguments.artifacts, nullptr);
  if (!files) return fail(files.error());
  using Sources = ScriptArtifacts::Sources;
  SharedArtifacts shared(*files.value(),
                         arguments.context_lines ? Sources::kKept : Sources::kDropped);
  const std::size_t thread_count = arguments.threads != 0
                                       ? arguments.threads
                                       : std::max(1u, std::thread::hardware_concurrency());
  Window window(thread_count * kPiecesPerThread);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < thread_count; ++i) {
    threads.emplace_back([&] {
      Worker worker(shared, arguments.context_lines);
      while (const auto piece = window.take()) {
        worker.answer(*piece);
        window.finish(*piece);
      }
    });
  }
  bool is_printed = false;
  threads.emplace_back([&] { is_printed = window.print_all(); });
  const Status read = read_lines(window);
  window.end();
  for (std::thread& thread : threads) thread.join();
  if (!read) return fail(read.error());
  return is_printed ? kExitOk : kExitFailed;
}

}  // namespace twofold::cli
