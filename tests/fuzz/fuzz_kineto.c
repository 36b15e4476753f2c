/* tests/fuzz/fuzz_kineto.c - libFuzzer on the reader of captures, beginning with traces of PyTorch: whatever
 * the bytes, it ends, reports or accepts, and a capture that it accepts makes sense. How it is run:
 * tests/fuzz/meson.build. */
#include "tests/fuzz/capture_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	capture_check_bytes(data, size);
	return 0;
}
