/* base/units.h - numbers with units, read exactly and written readably.
 *
 * Input is decimal text with a unit; the value must be a whole number of the base unit (1 ns, 1 byte, 1 uW, 1
 * ppm, 1 Hz), else it is refused. Reading uses no floating point.
 *
 * A number that a script calculated carries the noise of floating point: 0.1 + 0.2 prints
 * 0.30000000000000004. So a number is rounded to the nearest base unit in two cases: it is less than a
 * millionth of a base unit away from a whole one, or it has more than 15 significant digits, which nobody
 * writes by hand. 0.5 ns is refused. An exponent, as in 5e-05, is read, too. */
#ifndef CEGSIM_BASE_UNITS_H
#define CEGSIM_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum unit_kind {
	UNIT_TIME,      /* ns us ms s            -> ns      */
	UNIT_BYTES,     /* B KiB MiB GiB kB MB GB -> bytes   */
	UNIT_BANDWIDTH, /* B/s kB/s MB/s GB/s KiB/s MiB/s GiB/s -> bytes per second */
	UNIT_POWER,     /* uW mW W               -> uW      */
	UNIT_RATIO,     /* 0.2 or 20%            -> ppm (parts per million) */
	UNIT_FREQUENCY, /* Hz kHz MHz GHz        -> Hz      */
};

/* Reads `text` ("3.8ms", "4 MiB", "20%"). A number without a unit is in `default_unit` ("ms"). With NULL it
 * is refused, except 0, and except for UNIT_BYTES and UNIT_RATIO, where it is in bytes or is the ratio
 * itself. Negative values are refused, except those that are rounded to 0. On failure err->text is a clause
 * such as wants a duration such as 250us or 1.5ms, got "50" that the caller puts behind the name of the
 * field. */
MUST_CHECK bool unit_parse(
	enum unit_kind kind, const char *text, const char *default_unit, int64_t *value, struct error *err);

/* What to write, for messages: "a duration such as 250us or 1.5ms". */
const char *unit_wants(enum unit_kind kind);

/* Reads a number that is exactly whole, with or without a sign, however it is written: 20, 20.0, 2e1, -0.0.
 * No blanks, no plus sign. One that is too large gives the int64 that is nearest. */
enum whole_reading { WHOLE_READ, WHOLE_NOT, WHOLE_TOO_LARGE };
MUST_CHECK enum whole_reading whole_parse(const char *text, int64_t *value);

/* Exact decimal fraction p/q in lowest terms of a plain number such as "1.8": at most 9 digits on either side
 * of the point, value > 0. A number of more than 15 significant digits is rounded to 9 behind the point. */
MUST_CHECK bool ratio_parse(const char *text, int64_t *numerator, int64_t *denominator, struct error *err);

#define UNIT_TEXT_MAX 32
/* The shortest exact text: 3800000 -> "3.8ms", 12800000000 -> "12.8GB/s". */
const char *unit_format(enum unit_kind kind, int64_t value, char buffer[UNIT_TEXT_MAX]);

/* Values of one sentence in the same unit, so that they can be compared: the one that makes their texts
 * shortest together, without those that are 0; the larger of two that do. */
void unit_format_all(enum unit_kind kind, const int64_t *values, size_t count, char (*texts)[UNIT_TEXT_MAX]);
void unit_format_alike(
	enum unit_kind kind, const int64_t values[2], char first[UNIT_TEXT_MAX], char second[UNIT_TEXT_MAX]);

#endif
