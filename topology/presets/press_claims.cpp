// What press articles say of these systems, and what the better source says. Kept beside the figures, because
// a reader who has the article's number in mind should find here why ours differs.
#include "topology/presets.h"

namespace tahoma {

namespace {

constexpr std::string_view golem = "Golem on Trainium2 (German)";
constexpr std::string_view german_trn2 = "a German article on Trainium2";
constexpr std::string_view german_trn3 = "a German article on Trainium3";
constexpr std::string_view german_rainier = "a German article on Rainier";
constexpr std::string_view french = "a French article on Rainier, after SiliconANGLE";

constexpr PressClaim claims[] = {
    {golem, "Trainium2 reaches 5.2 Tflops in 8 bit, 1.3 Tflops dense", "unit wrong by 1,000",
     "1,299 TFLOPS dense per chip; 5.2 PFLOPS is four times that, the launch claim for sparse data, and "
     "AWS's "
     "documents list 2,563 TFLOPS",
     "ND-trn2"},
    {golem, "NeuronLink has 2 TByte/s, slightly more than NVLink 5", "wrong scope",
     "1.28 TB/s per chip, both directions, against 1.8; 2,048 GB/s is a server's share between servers: 16 "
     "chips x 2 Z links x 64 GB/s",
     "ND-trn2"},
    {golem, "16 accelerators are directly connected, against 8", "misleading",
     "16 chips form a 4x4 torus with four neighbours each; 8 H100 reach each other through NVSwitches",
     "ND-trn2"},
    {golem, "Trainium3 is four times Trainium2, level with B200", "wrong scope",
     "4.36 is UltraServer to UltraServer, 362.4 / 83.2 PFLOPS of 144 and 64 chips; per chip FP8 x 1.94, BF16 "
     "x "
     "1.0, and a B200 has 1.8 times the FP8 of a Trainium3",
     "ND-trn3"},
    {golem, "25 % more compute", "ambiguous",
     "AWS claims about 30 % per instance: 16 x 1.299 = 20.8 against 8 x 1.979 = 15.8 PFLOPS; per chip, "
     "dense, an "
     "H100 has 52 % more",
     "ND-trn2"},
    {golem, "an accelerator is two chips with 96 GB", "ambiguous",
     "96 GiB belong to one package of two dies and four stacks of 24 GiB", "NKI"},
    {german_trn2, "NeuronLink is non-blocking and joins thousands of chips", "wrong",
     "it joins 16 or 64 Trainium2 in a torus, which blocks, or 64 or 144 Trainium3; thousands are joined by "
     "EFA",
     "ND-trn3"},
    {german_trn2, "Trainium2 is the newest generation", "outdated",
     "Trainium3 has been offered since 2025-12-02", "ND-trn3"},
    {german_trn3, "four times the memory", "wrong quantity",
     "capacity grows x 3.4 per UltraServer (20,736 against 6,144 GiB) and x 1.5 per chip; what grows x 3.8 "
     "is HBM "
     "bandwidth, 706 against 185.6 TB/s",
     "ND-trn3"},
    {german_trn3, "40 % more energy-efficient", "ambiguous",
     "a vendor's claim without a measurement; AWS's texts have 40 % for the chip and more than four times "
     "for the "
     "UltraServer",
     "NextP25"},
    {german_rainier, "the chips do training exclusively", "wrong",
     "most of Rainier serves inference by day, and a part trains in the evening", "Semafor25"},
    {french, "HBM gives 2.8 terabits/s via NeuronLink", "unit wrong by 8, and the wrong path",
     "2.9 terabytes/s, from HBM by DMA into SBUF; NeuronLink joins chips", "ND-trn2"},
    {french, "an UltraServer has 83.8 PFLOPS of sparse FP8", "two errors",
     "83.2 PFLOPS, dense; 4 x 20.8 is the sparse claim for one server as well, hence the mix-up", "ND-trn2"},
    {french, "GPSIMD are snippets of low-level code", "wrong",
     "hardware: eight programmable 512-bit vector processors per core", "NKI"},
    {french, "Trainium2 is four times as fast as Trainium1", "imprecise",
     "FP8 x 6.8, BF16 x 3.5 by today's figures; AWS's own table says 6.7 and 3.4, of older ones", "ND-trn2"},
    {french, "EFA cures the latency between sites", "misleading",
     "it shortens the tail within a fabric; light in fibre still takes 4.9 us per km", "SRD20"},
    {"SDxCentral and others on 10p10u", "tens of petabytes per second", "unit wrong by 8",
     "tens of petabits: 50,000 chips x 200 Gbps are 10 Pb/s", "arithmetic"},
    {"The Register on Ironwood", "four ICI links per chip", "wrong",
     "a 3-D torus has six neighbours; the total of 9.6 Tbps, both directions, agrees with Google's 1,200 "
     "GB/s",
     "TPU-doc"},
    {"NVIDIA's own NVLink page", "900 GB/s, both directions, per link of NVLink 5", "a slip",
     "100 GB/s per link, both directions; 900 GB/s is a GPU's, per direction", "NVL"},
};

}  // namespace

std::span<const PressClaim> press_claims() {
  return claims;
}

}  // namespace tahoma
