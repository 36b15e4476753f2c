/* captures/gpu.c - what is known of GPUs beside what files say of them. */
#include "captures/capture.h"

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
uint32_t capture_blocks_per_sm(const struct capture_gpu *gpu)
{
	static const struct {
		int32_t major, minor; /* -1: all others */
		uint32_t blocks;
	} known[] = {{3, -1, 16}, {5, -1, 32}, {6, -1, 32}, {7, 5, 16}, {7, -1, 32}, {8, 0, 32}, {8, 9, 24},
		{8, -1, 16}, {9, -1, 32}, {10, -1, 32}, {12, -1, 24}};
	if (gpu->blocks_per_sm > 0)
		return gpu->blocks_per_sm;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].major == gpu->compute_major &&
			(known[i].minor == gpu->compute_minor || known[i].minor < 0))
			return known[i].blocks;
	return 0;
}
