/* scenarios/presets.c - owns the table of GPUs and the evidence for each number.
 *
 * Copy engines are min(2, listed): the model has one, two, or no limit. It is one where no count was found
 * (T400), and on the Xavier, for which sources disagree. Presets have no clocks or bandwidths: a scenario
 * states its own times and bandwidths. */
#include "scenarios/presets.h"

#include <string.h>

/* Of every GPU so far: Yang & Anderson, section IV (b_lim); CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability". */
#define THREADS_PER_BLOCK 1024

#define GPU(preset_name, copy_engines, sm_count, tpc, threads, blocks, warps, shared, static_power, idle)    \
	.platform = {.name = preset_name,                                                                    \
		.cores = 1,                                                                                  \
		.engines = (copy_engines),                                                                   \
		.pool = POOL_SM,                                                                             \
		.sms = (sm_count),                                                                           \
		.sms_per_tpc = (tpc),                                                                        \
		.threads_per_sm = (threads),                                                                 \
		.blocks_per_sm = (blocks),                                                                   \
		.warps_per_sm = (warps),                                                                     \
		.registers_per_sm = 65536,                                                                   \
		.shared_memory_per_sm = (shared),                                                            \
		.threads_per_block = THREADS_PER_BLOCK,                                                      \
		.work_queues = 32,                                                                           \
		.static_uw = (static_power),                                                                 \
		.idle_per_sm_uw = (idle)}

/* The cache of an SM and L2, in KiB. The first is by compute capability, in the CUDA C++ Programming Guide
 * ("Compute Capabilities"): from 7.0 on L1 and shared memory together, before that L1 alone. */
#define CACHES(sm_kib, l2_kib, l2_evidence)                                                                  \
	.cache_per_sm = INT64_C(1024) * (sm_kib), .l2_bytes = INT64_C(1024) * (l2_kib),                      \
	.cache_source = "CUDA guide (SM); " l2_evidence " (L2)"

/* GPU instances of MIG. The count of SMs is what `nvidia-smi mig -lgip` lists; engines are the copy engines
 * of the MIG guide's tables of profiles, and so are shares of L2: 1, 2, 4, 4 and all eighths. */
#define MIG(preset_name, cc, copy_engines, sm_count, shared, sm_kib, l2_kib, profile)                        \
	{                                                                                                    \
		.name = preset_name, .compute = cc,                                                          \
		GPU(preset_name, copy_engines, sm_count, 2, 2048, 32, 64, shared, 0, 0),                     \
		.warp_schedulers = 4, .registers_per_block = 65536, .shared_memory_per_block = 49152,        \
		CACHES(sm_kib, l2_kib, "MIG User Guide, fraction of L2"),                                    \
		.source = "MIG instance " profile ": nvidia-smi mig -lgip (SMs), MIG User Guide (copy "      \
			  "engines); limits of an SM as of the whole GPU"                                    \
	}

static const struct preset presets[] = {
	{
		.name = "jetson-tx1",
		.compute = "5.3",
		GPU("jetson-tx1", 1, 2, 1, 2048, 32, 64, 65536, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 32768,
		.shared_memory_per_block = 49152,
		.source = "Yang & Anderson (4096 threads = 2 x 2048); deviceQuery of a Tegra X1 (2048 "
			  "threads per SM, 32768 registers per block, 1 copy engine); cuda_occupancy.h, cc 5 "
			  "(32 blocks)",
	},
	{
		.name = "jetson-tx2",
		.compute = "6.2",
		GPU("jetson-tx2", 1, 2, 1, 2048, 32, 64, 65536, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 32768,
		.shared_memory_per_block = 49152,
		CACHES(24, 512, "NVIDIA, Jetson TX2"),
		.source = "Amert et al., RTSS'17, sec. 3.2 (2048 threads, 64 KiB shared memory, 48 KiB a "
			  "block, 65536 registers per SM, 1 copy engine); deviceQuery; cuda_occupancy.h, cc "
			  "6 (32 blocks)",
	},
	{
		.name = "jetson-agx-xavier",
		.compute = "7.2",
		GPU("jetson-agx-xavier", 1, 8, 2, 2048, 32, 64, 98304, 612000, 74000),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(128, 512, "NVIDIA, Jetson AGX Xavier"),
		.source = "deviceQuery (8 SMs, 1 copy engine; RTGPU says 2 copy engines); cuda_occupancy.h, "
			  "cc 7.x (32 blocks)",
		.power_source = "xavier_ce_test, GPU rail (INA3221) with 0 to 8 busy SMs",
	},
	{
		.name = "jetson-agx-orin",
		.compute = "8.7",
		GPU("jetson-agx-orin", 2, 16, 2, 1536, 16, 48, 167936, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(192, 4096, "NVIDIA, Jetson AGX Orin"),
		.source = "deviceQuery of an Orin NX (1536 threads and 167936 B shared memory per SM, 2 copy "
			  "engines); 16 SMs of the AGX Orin 64 GB; cuda_occupancy.h, cc 8.x (16 blocks)",
	},
	{
		.name = "gtx-1080-ti",
		.compute = "6.1",
		GPU("gtx-1080-ti", 2, 28, 1, 2048, 32, 64, 98304, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(48, 2816, "white paper of GP102, 11/12 of 3 MiB"),
		.source = "deviceQuery (28 SMs, 2 copy engines); cuda_occupancy.h, cc 6 (32 blocks); CUDA "
			  "guide, cc 6.1 (96 KiB shared memory)",
	},
	{
		.name = "titan-v",
		.compute = "7.0",
		GPU("titan-v", 2, 80, 2, 2048, 32, 64, 98304, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		.cache_per_sm = 128 * 1024,
		.l2_bytes = 4608 * 1024,
		.cache_source = "Singh et al., DATE'22 (QAWS), Table I a: 128 KB of L1 and shared memory, "
				"4.5 MB of L2",
		.source = "deviceQuery (80 SMs, 7 copy engines); CCCL arch_traits, sm_70 (96 KiB, 32 blocks, "
			  "64 warps)",
	},
	{
		.name = "rtx-3090",
		.compute = "8.6",
		GPU("rtx-3090", 2, 82, 2, 1536, 16, 48, 102400, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(128, 6144, "white paper of GA102"),
		.source = "deviceQuery (82 SMs, 1536 threads and 102400 B per SM, 2 copy engines); CCCL "
			  "arch_traits, sm_86 (16 blocks, 48 warps)",
	},
	{
		.name = "rtx-3070",
		.compute = "8.6",
		GPU("rtx-3070", 2, 46, 2, 1536, 16, 48, 102400, 46000000, 445000),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(128, 4096, "white paper of GA102, on GA104"),
		.source = "sBEET-mg profiles (46 SMs); else as the RTX 3090, of the same compute capability",
		.power_source = "measured with the sBEET-mg profiles",
	},
	{
		.name = "t400",
		.compute = "7.5",
		GPU("t400", 1, 6, 2, 1024, 16, 32, 65536, 8000000, 652000),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		.cache_per_sm = 96 * 1024,
		.cache_source = "CUDA guide (SM); L2 not known",
		.source = "sBEET-mg profiles (6 SMs); CCCL arch_traits, sm_75; copy engines not known, taken "
			  "as 1",
		.power_source = "measured with the sBEET-mg profiles",
	},
	{
		.name = "synthetic-8sm",
		.compute = "7.2",
		GPU("synthetic-8sm", 1, 8, 2, 2048, 32, 64, 98304, 612000, 74000),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(128, 512, "as jetson-agx-xavier"),
		.source = "no GPU: the Jetson AGX Xavier's limits, for the kernels of recipe sbeet that "
			  "stand in for those measured on one (docs/workload.md)",
		.power_source = "as jetson-agx-xavier",
	},
	{
		.name = "a100-40gb",
		.compute = "8.0",
		GPU("a100-40gb", 2, 108, 2, 2048, 32, 64, 167936, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(192, 40960, "white paper of GA100"),
		.source = "deviceQuery of an A100-SXM4 (108 SMs, 3 copy engines; Nsight Systems lists 5); "
			  "CCCL arch_traits, sm_80 (164 KiB, 32 blocks, 64 warps)",
	},
	{
		.name = "h100-sxm",
		.compute = "9.0",
		GPU("h100-sxm", 2, 132, 2, 2048, 32, 64, 233472, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(256, 51200, "white paper of GH100"),
		.source = "deviceQuery (132 SMs, 233472 B shared memory per SM; an H100 PCIe lists 3 copy "
			  "engines); CCCL arch_traits, sm_90 (228 KiB, 32 blocks, 64 warps)",
	},
	{
		.name = "h200",
		.compute = "9.0",
		GPU("h200", 2, 132, 2, 2048, 32, 64, 233472, 0, 0),
		.warp_schedulers = 4,
		.registers_per_block = 65536,
		.shared_memory_per_block = 49152,
		CACHES(256, 51200, "as h100-sxm"),
		.source = "the GH100 chip of the H100 SXM (MIG guide: H200-SXM5 is GH100, cc 9.0)",
	},
	MIG("a100-mig-1g", "8.0", 1, 14, 167936, 192, 5120,
		"1g.5gb of an A100-40GB, 1g.10gb of an A100-80GB"),
	MIG("a100-mig-2g", "8.0", 2, 28, 167936, 192, 10240,
		"2g.10gb of an A100-40GB, 2g.20gb of an A100-80GB"),
	MIG("a100-mig-3g", "8.0", 2, 42, 167936, 192, 20480,
		"3g.20gb of an A100-40GB, 3g.40gb of an A100-80GB"),
	MIG("a100-mig-4g", "8.0", 2, 56, 167936, 192, 20480,
		"4g.20gb of an A100-40GB, 4g.40gb of an A100-80GB"),
	MIG("a100-mig-7g", "8.0", 2, 98, 167936, 192, 40960,
		"7g.40gb of an A100-40GB, 7g.80gb of an A100-80GB"),
	MIG("h100-mig-1g", "9.0", 1, 16, 233472, 256, 6400, "1g.10gb of an H100-80GB"),
	MIG("h100-mig-2g", "9.0", 2, 32, 233472, 256, 12800, "2g.20gb of an H100-80GB"),
	MIG("h100-mig-3g", "9.0", 2, 60, 233472, 256, 25600, "3g.40gb of an H100-80GB"),
	MIG("h100-mig-4g", "9.0", 2, 64, 233472, 256, 25600, "4g.40gb of an H100-80GB"),
};

const struct preset *preset_all(size_t *count)
{
	*count = sizeof(presets) / sizeof(presets[0]);
	return presets;
}

const struct preset *preset_find(const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		if (strcmp(presets[i].name, name) == 0)
			return &presets[i];
	}
	return NULL;
}

void preset_suggest(struct suggestion *s)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
		suggestion_offer(s, presets[i].name);
}

const struct preset *preset_named(const char *name, struct error *err)
{
	const struct preset *preset = preset_find(name);
	struct suggestion near = {.word = name};
	char hint[SUGGESTION_TEXT_MAX];
	if (preset)
		return preset;
	preset_suggest(&near);
	error_set(err, STATUS_INPUT, "there is no preset '%s'%s (see cegsim list presets)", name,
		suggestion_text(&near, hint));
	return NULL;
}

/* ---- Divisions of the memory of SMs ---- */

/* CUDA C++ Programming Guide, "Compute Capabilities", and NVIDIA's tuning guides from Volta to Hopper. */
static const char *const divided[] = {"7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", NULL};
static const struct divisions kib[] = {
	{6, {0, 8, 16, 32, 64, 96}},
	{6, {0, 8, 16, 32, 64, 96}},
	{2, {32, 64}},
	{8, {0, 8, 16, 32, 64, 100, 132, 164}},
	{6, {0, 8, 16, 32, 64, 100}},
	{8, {0, 8, 16, 32, 64, 100, 132, 164}},
	{6, {0, 8, 16, 32, 64, 100}},
	{10, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
};

const char *const *divisions_all(void)
{
	return divided;
}

bool divisions_find(const char *compute, struct divisions *out)
{
	for (size_t i = 0; divided[i]; i++) {
		if (strcmp(divided[i], compute) != 0)
			continue;
		*out = kib[i];
		for (uint32_t j = 0; j < out->count; j++)
			out->bytes[j] *= 1024;
		return true;
	}
	return false;
}

bool preset_l1_is_shared(const struct preset *preset)
{
	struct divisions part;
	return divisions_find(preset->compute, &part);
}

int64_t preset_l1(const struct preset *preset, int64_t shared_memory)
{
	int64_t shared = preset_l1_is_shared(preset) ? shared_memory : 0;
	return preset->cache_per_sm > shared ? preset->cache_per_sm - shared : 0;
}
