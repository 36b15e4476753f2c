/* base/units.c - owns the units of the input and the exact conversion of decimal text
 * to whole base units and back. */
#include "base/units.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

struct unit_suffix {
	const char *suffix;
	int64_t factor; /* base units in one; a product of twos and fives */
};

struct unit_scale {
	const char *wants;  /* what to write, for the message */
	const char *finest; /* the base unit, for the message */
	bool bare_allowed;  /* a bare number counts in units of bare_factor */
	int64_t bare_factor;
	const struct unit_suffix *units; /* from large to small, ends with a NULL suffix */
};

#define KIB ((int64_t)1 << 10)
#define MIB ((int64_t)1 << 20)
#define GIB ((int64_t)1 << 30)

static const struct unit_suffix time_units[] = {
	{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}, {NULL, 0}};
static const struct unit_suffix byte_units[] = {{"GiB", GIB}, {"GB", 1000000000}, {"MiB", MIB},
	{"MB", 1000000}, {"KiB", KIB}, {"kB", 1000}, {"B", 1}, {NULL, 0}};
static const struct unit_suffix bandwidth_units[] = {{"GiB/s", GIB}, {"GB/s", 1000000000}, {"MiB/s", MIB},
	{"MB/s", 1000000}, {"KiB/s", KIB}, {"kB/s", 1000}, {"B/s", 1}, {NULL, 0}};
static const struct unit_suffix power_units[] = {{"W", 1000000}, {"mW", 1000}, {"uW", 1}, {NULL, 0}};
static const struct unit_suffix ratio_units[] = {{"%", 10000}, {NULL, 0}};
static const struct unit_suffix frequency_units[] = {
	{"GHz", 1000000000}, {"MHz", 1000000}, {"kHz", 1000}, {"Hz", 1}, {NULL, 0}};

static const struct unit_scale scales[] = {
	[UNIT_TIME] = {"a duration such as 250us or 1.5ms", "1 ns", false, 0, time_units},
	[UNIT_BYTES] = {"a size such as 4096 or 4MiB", "1 byte", true, 1, byte_units},
	[UNIT_BANDWIDTH] = {"a bandwidth such as 10GB/s", "1 byte per second", false, 0, bandwidth_units},
	[UNIT_POWER] = {"a power such as 50mW or 1.5W", "1 uW", false, 0, power_units},
	[UNIT_RATIO] = {"a ratio such as 0.2 or 20%", "one millionth", true, 1000000, ratio_units},
	[UNIT_FREQUENCY] = {"a frequency such as 1.2GHz", "1 Hz", false, 0, frequency_units},
};

const char *unit_wants(enum unit_kind kind)
{
	return scales[kind].wants;
}

#define QUOTED "\"%.60s\"" /* input in a message; may be junk of any length */

/* A decimal number inside a text: digits, digits behind a point, and how far an exponent moves the point. */
struct decimal {
	const char *whole, *whole_end;       /* may be empty: ".5" */
	const char *fraction, *fraction_end; /* without trailing zeros */
	int exponent;                        /* 0: none was given */
	const char *rest;                    /* what follows the number */
};

/* Room for a number whose exponent is written out. Scripts print at most 17 digits and 1e-324 to 1e308. */
#define EXPONENT_MAX 400
#define MANTISSA_MAX 40
#define PLAIN_MAX (MANTISSA_MAX + EXPONENT_MAX + 80)

static const char *skip_digits(const char *c)
{
	while (*c >= '0' && *c <= '9')
		c++;
	return c;
}

static const char *skip_blanks(const char *c)
{
	while (*c == ' ' || *c == '\t')
		c++;
	return c;
}

/* Reads "e-05"; anything else is left to be a unit. */
static void exponent_scan(struct decimal *d)
{
	const char *c = d->rest;
	if (*c != 'e' && *c != 'E')
		return;
	bool down = *++c == '-';
	const char *digits = c + (*c == '-' || *c == '+');
	const char *end = skip_digits(digits);
	if (end == digits)
		return;
	for (c = digits; c < end && d->exponent <= EXPONENT_MAX; c++)
		d->exponent = 10 * d->exponent + (*c - '0');
	if (down)
		d->exponent = -d->exponent;
	d->rest = end;
}

static bool decimal_scan(const char *text, struct decimal *d)
{
	d->whole = text;
	d->whole_end = skip_digits(text);
	d->fraction = d->fraction_end = d->rest = d->whole_end;
	d->exponent = 0;
	if (*d->whole_end == '.') {
		d->fraction = d->whole_end + 1;
		d->fraction_end = d->rest = skip_digits(d->fraction);
		if (d->fraction == d->rest)
			return false;
	}
	if (d->whole == d->whole_end && d->fraction == d->rest)
		return false;
	while (d->fraction_end > d->fraction && d->fraction_end[-1] == '0')
		d->fraction_end--;
	exponent_scan(d);
	return true;
}

static bool decimal_is_zero(const struct decimal *d)
{
	for (const char *c = d->whole; c < d->whole_end; c++) {
		if (*c != '0')
			return false;
	}
	return d->fraction == d->fraction_end;
}

/* Writes the number without its exponent into `plain`, and makes the decimal one of that. False: it is longer
 * or further from 1 than a script prints. */
static bool decimal_expand(struct decimal *d, char plain[PLAIN_MAX])
{
	int whole = (int)(d->whole_end - d->whole), fraction = (int)(d->fraction_end - d->fraction);
	if (d->exponent == 0 || decimal_is_zero(d)) /* 0e999 is 0 */
		return true;
	if (d->whole_end - d->whole > MANTISSA_MAX || d->fraction_end - d->fraction > MANTISSA_MAX ||
		d->exponent > EXPONENT_MAX || d->exponent < -EXPONENT_MAX)
		return false;
	const char *rest = d->rest;
	int point = whole + d->exponent; /* digits in front of it; if negative, zeros behind it */
	char *out = plain;
	for (int i = point < 0 ? point : 0; i < whole + fraction || i < point; i++) {
		if (i == point)
			*out++ = '.';
		bool given = i >= 0 && i < whole + fraction;
		*out++ = !given ? '0' : i < whole ? d->whole[i] : d->fraction[i - whole];
	}
	*out = '\0';
	bool scanned = decimal_scan(plain, d);
	d->rest = rest;
	return scanned;
}

/* The whole part times factor, below 0 with `minus`; false if it does not fit. */
static bool decimal_whole(const struct decimal *d, bool minus, int64_t factor, int64_t *product)
{
	int64_t value = 0;
	for (const char *c = d->whole; c < d->whole_end; c++) {
		int64_t digit = *c - '0';
		if (!checked_mul(value, 10, &value) || !checked_add(value, minus ? -digit : digit, &value))
			return false;
	}
	return checked_mul(value, factor, product);
}

/* How many digits there are from the first that is not 0. */
static ptrdiff_t significant_digits(const struct decimal *d)
{
	const char *whole = d->whole, *fraction = d->fraction;
	while (whole < d->whole_end && *whole == '0')
		whole++;
	while (whole == d->whole_end && fraction < d->fraction_end && *fraction == '0')
		fraction++;
	return (d->whole_end - whole) + (d->fraction_end - fraction);
}

/* A double has more digits only if it was calculated: 0.1 + 0.2 is 0.30000000000000004. */
#define DIGITS_WRITTEN 15
#define MILLIONTH_DIGITS 1000000

/* The fraction times factor, by long multiplication from the last digit on: any number of digits is exact. A
 * product that is not whole is rounded if it may be the noise of floating point (see the header); else
 * false. */
static bool decimal_fraction(const struct decimal *d, int64_t factor, int64_t *product)
{
	int64_t carry = 0, behind = 0; /* the product; the first six digits behind its point */
	bool further = false;          /* another digit than 0 behind those */
	for (const char *c = d->fraction_end; c > d->fraction; c--) {
		carry += (c[-1] - '0') * factor;
		behind += carry % 10 * MILLIONTH_DIGITS;
		further = further || behind % 10 != 0;
		behind /= 10;
		carry /= 10;
	}
	bool near = behind == 0 || (behind == MILLIONTH_DIGITS - 1 && further);
	*product = carry + (behind >= MILLIONTH_DIGITS / 2);
	return near || significant_digits(d) > DIGITS_WRITTEN;
}

/* Factor of the unit that `text` (with blanks around it) names; 0: none. */
static int64_t unit_factor(const struct unit_scale *scale, const char *text)
{
	const char *suffix = skip_blanks(text);
	size_t length = strlen(suffix);
	while (length > 0 && (suffix[length - 1] == ' ' || suffix[length - 1] == '\t'))
		length--;
	for (const struct unit_suffix *unit = scale->units; unit->suffix; unit++) {
		if (strlen(unit->suffix) == length && memcmp(unit->suffix, suffix, length) == 0)
			return unit->factor;
	}
	return 0;
}

/* Factor of a number without a unit; 0: it needs a unit. */
static int64_t bare_factor(const struct unit_scale *scale, const char *default_unit, bool zero)
{
	if (default_unit) {
		int64_t factor = unit_factor(scale, default_unit);
		assert(factor > 0);
		return factor;
	}
	if (scale->bare_allowed)
		return scale->bare_factor;
	return zero ? 1 : 0;
}

/* A number without a sign. `text` is what the user wrote, for the message. */
static bool magnitude_parse(const struct unit_scale *scale, const char *start, const char *text,
	const char *default_unit, int64_t *value, struct error *err)
{
	char plain[PLAIN_MAX];
	struct decimal d;
	if (!decimal_scan(start, &d) || !decimal_expand(&d, plain))
		return error_set(err, STATUS_INPUT, "wants %s, got " QUOTED, scale->wants, text);

	int64_t factor = *skip_blanks(d.rest) ? unit_factor(scale, d.rest)
					      : bare_factor(scale, default_unit, decimal_is_zero(&d));
	if (factor == 0)
		return error_set(err, STATUS_INPUT, "wants %s, got " QUOTED, scale->wants, text);

	int64_t whole, fraction;
	if (!decimal_fraction(&d, factor, &fraction))
		return error_set(err, STATUS_INPUT, "is finer than %s: " QUOTED, scale->finest, text);
	if (!decimal_whole(&d, false, factor, &whole) || !checked_add(whole, fraction, value))
		return error_set(err, STATUS_INPUT, "is too large: " QUOTED, text);
	return true;
}

/* Scripts print -0.0, and -1e-17 for 0.3 - 0.1 - 0.2: what rounds to 0 is 0. */
bool unit_parse(
	enum unit_kind kind, const char *text, const char *default_unit, int64_t *value, struct error *err)
{
	const char *start = skip_blanks(text);
	bool minus = *start == '-';
	struct decimal d;
	bool ok = magnitude_parse(&scales[kind], start + minus, text, default_unit, value, err);
	if (!minus || (ok && *value == 0))
		return ok;
	if (ok || (decimal_scan(start + 1, &d) && !decimal_is_zero(&d)))
		return error_set(err, STATUS_INPUT, "must not be negative, got " QUOTED, text);
	return false;
}

enum whole_reading whole_parse(const char *text, int64_t *value)
{
	char plain[PLAIN_MAX];
	struct decimal d;
	bool minus = *text == '-';
	if (!decimal_scan(text + minus, &d) || !decimal_expand(&d, plain) || *d.rest ||
		d.fraction < d.fraction_end)
		return WHOLE_NOT;
	if (decimal_whole(&d, minus, 1, value))
		return WHOLE_READ;
	*value = minus ? INT64_MIN : INT64_MAX;
	return WHOLE_TOO_LARGE;
}

bool ratio_parse(const char *text, int64_t *numerator, int64_t *denominator, struct error *err)
{
	const char *start = skip_blanks(text);
	char plain[PLAIN_MAX];
	struct decimal d;
	if (!decimal_scan(start, &d) || !decimal_expand(&d, plain) || *skip_blanks(d.rest) != '\0')
		return error_set(err, STATUS_INPUT, "wants a number such as 1.8, got " QUOTED, text);
	while (d.whole < d.whole_end && *d.whole == '0')
		d.whole++;
	bool calculated = d.fraction_end - d.fraction > 9 && significant_digits(&d) > DIGITS_WRITTEN;
	bool up = calculated && d.fraction[9] >= '5';
	if (calculated)
		d.fraction_end = d.fraction + 9;
	if (d.whole_end - d.whole > 9 || d.fraction_end - d.fraction > 9)
		return error_set(err, STATUS_INPUT,
			"wants at most 9 digits on either side of the point, got " QUOTED, text);

	int64_t p = 0, q = 1;
	for (const char *c = d.whole; c < d.whole_end; c++)
		p = 10 * p + (*c - '0');
	for (const char *c = d.fraction; c < d.fraction_end; c++) {
		p = 10 * p + (*c - '0');
		q *= 10;
	}
	p += up;
	if (p == 0)
		return error_set(err, STATUS_INPUT, "must be above 0, got " QUOTED, text);
	int64_t divisor = greatest_common_divisor(p, q);
	*numerator = p / divisor;
	*denominator = q / divisor;
	return true;
}

/* magnitude / factor as exact decimal text with its unit; returns the length. */
static size_t format_in(const struct unit_suffix *unit, uint64_t magnitude, char *buffer, size_t size)
{
	uint64_t factor = (uint64_t)unit->factor, rest = magnitude % factor;
	size_t length = (size_t)snprintf(buffer, size, "%llu", (unsigned long long)(magnitude / factor));
	if (rest)
		buffer[length++] = '.';
	for (; rest; rest %= factor) { /* ends: factor divides a power of ten */
		rest *= 10;
		buffer[length++] = (char)('0' + rest / factor);
	}
	assert(length + strlen(unit->suffix) < size);
	memcpy(buffer + length, unit->suffix, strlen(unit->suffix) + 1);
	return length + strlen(unit->suffix);
}

const char *unit_format(enum unit_kind kind, int64_t value, char buffer[UNIT_TEXT_MAX])
{
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char best[64] = "";
	size_t best_length = SIZE_MAX;
	for (const struct unit_suffix *unit = scales[kind].units; unit->suffix; unit++) {
		char text[64];
		bool below_one = magnitude < (uint64_t)unit->factor;
		if (below_one && magnitude != 0 && unit[1].suffix)
			continue; /* 0.1us is no better than 100ns */
		size_t length = format_in(unit, magnitude, text, sizeof(text));
		if (length < best_length) {
			memcpy(best, text, length + 1);
			best_length = length;
		}
	}
	assert(best_length + 2 <= UNIT_TEXT_MAX);
	snprintf(buffer, UNIT_TEXT_MAX, "%s%.30s", value < 0 ? "-" : "", best);
	return buffer;
}

/* A value in one unit; false: it is too long for the buffer. */
static bool format_signed(const struct unit_suffix *unit, int64_t value, char buffer[UNIT_TEXT_MAX])
{
	char text[64];
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	size_t length = format_in(unit, magnitude, text, sizeof(text));
	if (length + 2 > UNIT_TEXT_MAX)
		return false;
	snprintf(buffer, UNIT_TEXT_MAX, "%s%.30s", value < 0 ? "-" : "", text);
	return true;
}

void unit_format_all(enum unit_kind kind, const int64_t *values, size_t count, char (*texts)[UNIT_TEXT_MAX])
{
	const struct unit_suffix *best = NULL;
	size_t shortest = SIZE_MAX;
	for (const struct unit_suffix *unit = scales[kind].units; unit->suffix; unit++) {
		size_t length = 0, fitting = 0;
		for (; fitting < count && format_signed(unit, values[fitting], texts[fitting]); fitting++)
			length += values[fitting] ? strlen(texts[fitting]) : 0; /* 0 is in any unit */
		if (fitting < count || length >= shortest)
			continue;
		shortest = length;
		best = unit;
	}
	for (size_t i = 0; i < count; i++) {
		bool fits = format_signed(best, values[i], texts[i]);
		assert(fits); /* in the base unit all values do */
		(void)fits;
	}
}

void unit_format_alike(
	enum unit_kind kind, const int64_t values[2], char first[UNIT_TEXT_MAX], char second[UNIT_TEXT_MAX])
{
	char texts[2][UNIT_TEXT_MAX];
	unit_format_all(kind, values, 2, texts);
	memcpy(first, texts[0], UNIT_TEXT_MAX);
	memcpy(second, texts[1], UNIT_TEXT_MAX);
}
