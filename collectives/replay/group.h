// One group of one phase: the messages of a part played on what its ranks hold.
//
// The group's buffer is cut into pieces, a piece into atoms: those of the piece's coordinates on the phase's
// axes, times all coordinates of other axes that are not scattered. Where pieces are not one per position
// (broadcast, reduce, folded halving-doubling), a piece is a fraction of all that a rank holds and one atom
// stands for it. A barrier's messages say who is known to have come: hearing it twice does no harm.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "collectives/replay/holdings.h"
#include "collectives/replay/order.h"

namespace tahoma {

class GroupReplay {
 public:
  /// `base`: the group's rank whose coordinates on the phase's axes are 0.
  GroupReplay(Holdings& holdings, const Phase& phase, std::uint32_t base);

  /// Plays one part from the state before the phase; returns the fault. `late`: a send has seen only what its
  /// lane is sure of, else all that was sent before.
  std::string play(const ReplayOrder& order, std::uint32_t part, bool late);

  /// After the last part, all parts having come to the same: what the group's ranks hold from now on.
  void store();

 private:
  void list_atoms(std::uint32_t base);
  std::uint32_t atoms_per_piece() const {
    return one_per_position_ ? static_cast<std::uint32_t>(inside_piece_.size()) : 1;
  }
  std::uint32_t atom(std::uint32_t piece, std::uint32_t a) const {
    return one_per_position_ ? piece_start_[piece] + inside_piece_[a] : region_.front();
  }
  MutableContributions content(std::uint32_t position, std::uint32_t piece, std::uint32_t a) {
    const std::size_t row = std::size_t{position} * pieces_per_part(phase_) + piece;
    return {content_.data() + (row * atoms_per_piece() + a) * words_, words_};
  }
  Contributions before(std::uint32_t position, std::uint32_t piece, std::uint32_t a) const {
    if (position == phase_.positions) return nothing_;  // the switch
    return std::as_const(holdings_).at(at_[position], atom(piece, a));
  }

  /// What a piece's atom is worth with the messages that `later` is sure of (or all that went before, or
  /// all).
  std::string look(const ReplayOrder& order, std::uint32_t position, std::uint32_t piece, std::uint32_t a,
                   std::uint32_t later, MutableContributions result) const;
  std::string send(const ReplayOrder& order, std::uint32_t index);
  std::string fault(const Message& message, std::uint32_t position, std::uint32_t piece,
                    const std::string& what) const;

  std::vector<std::uint64_t> promised(std::uint32_t piece, std::uint32_t a) const;
  std::string check(std::uint32_t part);
  std::string check_rooted(std::uint32_t part);
  std::string check_whole_buffers(std::uint32_t part);
  bool is_dropped(std::uint32_t position, std::uint32_t piece) const;
  /// The position that a piece belongs to.
  std::uint32_t owner(std::uint32_t piece) const {
    return phase_.root - phase_.root % pieces_per_part(phase_) + piece;
  }

  Holdings& holdings_;
  const Phase& phase_;
  std::vector<std::uint32_t> at_;  // rank of each position
  bool one_per_position_;
  std::size_t words_;                                               // of a set
  std::vector<std::uint64_t> nothing_;                              // an empty one
  std::vector<std::uint32_t> piece_start_, inside_piece_, region_;  // atoms
  bool late_ = false;
  struct Received {
    std::uint32_t message, place;  // of the piece within it
  };
  std::vector<std::vector<Received>> received_;       // by position and piece
  std::vector<std::vector<std::uint64_t>> contents_;  // by message
  std::vector<std::uint64_t> content_;                // at the end, by position, piece, atom
  std::vector<std::uint64_t> first_part_;             // broadcast, reduce: by position
};

}  // namespace tahoma
