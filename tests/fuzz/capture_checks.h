/* tests/fuzz/capture_checks.h - what holds for every capture that a reader accepts. */
#ifndef CEGSIM_TESTS_FUZZ_CAPTURE_CHECKS_H
#define CEGSIM_TESTS_FUZZ_CAPTURE_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "captures/capture.h"

/* Gives the bytes to capture_read() as a file, and checks what it says. Returns whether it accepted them. */
bool capture_check_bytes(const uint8_t *bytes, size_t length);
void capture_check(const struct capture *c);
void capture_check_diagnostics(const struct diagnostics *d);

#endif
