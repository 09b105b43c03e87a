// Workload texts of SimAI and AICB: read, and refused where they cannot be run.
#include <catch2/catch.hpp>

#include "collectives/importers/layer_workload.h"
#include "core/errors.h"
#include "tests/support/input_files.h"

using namespace tahoma;
using Catch::Matchers::Contains;

namespace {

const std::string head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 all_gpus: 8\n";
const std::string layer = "a -1 10 ALLREDUCE 64 20 NONE 0 30 ALLGATHER_DP_EP 128 5\n";

std::string layer_fault(const std::string& text, std::uint32_t ranks = 8) {
  try {
    const LayerWorkload workload = read_layer_workload(text, "w.txt");
    for (const LayerGroup group :
         {LayerGroup::tensor, LayerGroup::data, LayerGroup::expert, LayerGroup::data_expert})
      ranks_of_groups(workload, ranks, group);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("layers are gone through forward and then back") {
  const LayerWorkload workload =
      read_layer_workload(head + "2\n" + layer + "b -1 1 NONE 7 2 ALLTOALL_EP 256 3 NONE 0 5\n", "w");
  REQUIRE(workload.steps.size() == 6);
  std::vector<std::uint64_t> nanos;
  for (const auto& step : workload.steps) nanos.push_back(step.nanos);
  // Forward a and b, then b's input and weight gradient, then a's.
  CHECK(nanos == std::vector<std::uint64_t>{10, 1, 2, 3, 20, 30});
  CHECK(workload.steps[0].collective == Collective::all_reduce);
  CHECK(workload.steps[0].group == LayerGroup::tensor);
  CHECK(workload.steps[0].after_nanos == 5);
  CHECK(workload.steps[1].bytes == 0);  // NONE, whatever stands behind it
  CHECK(workload.steps[2].group == LayerGroup::expert);
  CHECK(workload.steps[5].group == LayerGroup::data_expert);
}

TEST_CASE("the groups of a step are those of Megatron") {
  LayerWorkload workload;
  workload.tensor = 2;
  workload.expert = 2;
  workload.pipeline = 2;
  using Groups = std::vector<std::vector<std::uint32_t>>;
  // 16 ranks: two stages of 8, each four rows of two tensor-parallel ranks.
  CHECK(ranks_of_groups(workload, 16, LayerGroup::tensor)[5] == std::vector<std::uint32_t>{10, 11});
  CHECK(ranks_of_groups(workload, 16, LayerGroup::data) ==
        Groups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}});
  CHECK(ranks_of_groups(workload, 16, LayerGroup::expert)[0] == std::vector<std::uint32_t>{0, 2});
  CHECK(ranks_of_groups(workload, 16, LayerGroup::data_expert)[0] == std::vector<std::uint32_t>{0, 4});
}

TEST_CASE("hostile workloads of layers are refused with their place and what is wrong") {
  struct Hostile {
    const char* what;
    std::string text;
    const char* told;
  };
  const std::vector<Hostile> table = {
      {"empty", "\n\n", "the file is empty"},
      {"another text", "train_iter:10\nEmb:\n", "w.txt:1:1: 'train_iter:10' is no workload of layers"},
      {"a policy by dimensions", "DATA\n1\n" + layer, "is a policy whose groups are dimensions of a network"},
      {"no number of layers", head, "the number of layers is missing"},
      {"a negative number", head + "-2\n", "w.txt:2:1: '-2' is no whole number from 0 to 1000000"},
      {"a huge number", head + "99999999999999999999\n", "is no whole number from 0"},
      {"cut off", head + "3\n" + layer,
       "w.txt:2:1: '3' layers are said to be there, and the file holds 1: it is cut off"},
      {"too many layers", head + "1\n" + layer + layer, "w.txt:4:1: 'a' stands after the last of 1 layers"},
      {"a column too few", head + "1\na -1 10 ALLREDUCE 64 20 NONE 0 30 NONE 0\n",
       "is the last of 11 columns"},
      {"a column too many", head + "2\na -1 10 NONE 0 20 NONE 0 30 NONE 0 5 DATA\n" + layer,
       "w.txt:3:38: 'DATA' is a column too many"},
      {"negative computing", head + "1\na -1 -10 NONE 0 20 NONE 0 30 NONE 0 5\n",
       "w.txt:3:6: '-10' is no whole number"},
      {"computing past the clock", head + "1\na -1 99999999999999 NONE 0 20 NONE 0 30 NONE 0 5\n",
       "is no whole number"},
      {"an unknown collective", head + "1\na -1 10 ALLREDUCED 64 20 NONE 0 30 NONE 0 5\n",
       "w.txt:3:9: 'ALLREDUCED' is no collective"},
      {"a mistyped size", "HYBRID_TRANSFORMER all_gpu: 8\n1\n" + layer, "did you mean 'all_gpus'?"},
      {"a size without its number", "HYBRID_TRANSFORMER ep:\n1\n" + layer, "has no number after it"},
      {"no ranks", "HYBRID_TRANSFORMER ep: 0\n1\n" + layer, "'0' ranks make no group"},
      {"checkpoints", "HYBRID_TRANSFORMER checkpoints: 2\n1\n" + layer, "which is not built"},
      {"groups that do not divide", "HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\n" + layer,
       "8 ranks are no multiple of 3 tensor-parallel ones"},
      {"experts that do not divide", "HYBRID_TRANSFORMER ep: 3\n1\n" + layer,
       "no multiple of 3 expert-parallel ones"},
      {"huge groups", "HYBRID_TRANSFORMER model_parallel_NPU_group: 16777216 pp: 16777216\n1\n" + layer,
       "are no multiple of"},
  };
  for (const Hostile& hostile : table) {
    INFO(hostile.what);
    CHECK_THAT(layer_fault(hostile.text), Contains(hostile.told));
  }
}
