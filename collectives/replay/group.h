// One group of one phase: the messages of a part played on what its ranks hold.
//
// The group's buffer is cut into pieces, a piece into atoms: those of the piece's coordinates on the phase's
// axes, times all coordinates of other axes that are not scattered. Where pieces are not one per position
// (broadcast, folded halving-doubling), a piece is a fraction of all that a rank holds and one atom stands
// for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/replay/holdings.h"
#include "collectives/replay/order.h"

namespace tahoma {

class GroupReplay {
 public:
  /// `base`: the group's rank whose coordinates on the phase's axes are 0.
  GroupReplay(Holdings& holdings, const Phase& phase, std::uint32_t base);

  /// Plays one part from the state before the phase; returns the fault. `late`: messages are seen as late as
  /// the waits allow, else as soon as they are sent.
  std::string play(const ReplayOrder& order, std::uint16_t part, bool late);

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
  Contributions& content(std::uint32_t position, std::uint32_t piece, std::uint32_t a) {
    return content_[(std::size_t{position} * pieces_per_part(phase_) + piece) * atoms_per_piece() + a];
  }
  const Contributions& before(std::uint32_t position, std::uint32_t piece, std::uint32_t a) const {
    return holdings_.at(at_[position], atom(piece, a));
  }

  void load();
  std::string send(const Message& message, std::uint32_t index);
  std::string receive(const Message& message, std::uint32_t index);
  std::string fault(const Message& message, std::uint32_t position, std::uint32_t piece,
                    const std::string& what) const;

  Contributions promised(std::uint32_t position, std::uint32_t piece, std::uint32_t a) const;
  std::string check(std::uint16_t part);
  std::string check_broadcast(std::uint16_t part);

  Holdings& holdings_;
  const Phase& phase_;
  std::vector<std::uint32_t> at_;  // rank of each position
  bool one_per_position_;
  std::vector<std::uint32_t> piece_start_, inside_piece_, region_;  // atoms
  std::vector<Contributions> content_;                              // by position, piece, atom
  std::vector<std::vector<Contributions>> in_flight_;               // by message
  std::vector<Contributions> first_part_;                           // broadcast: by position
};

}  // namespace tahoma
