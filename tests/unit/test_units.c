/* tests/unit/test_units.c - exact decimal input on both sides of every limit, and printing it back. */
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/units.h"
#include "tests/support/test.h"

struct reading {
	enum unit_kind kind;
	const char *text, *unit;
	int64_t value;
};

static const struct reading readings[] = {
	{UNIT_TIME, "3.8ms", NULL, 3800000},
	{UNIT_TIME, "0.001us", NULL, 1},
	{UNIT_TIME, "1.000000001s", NULL, 1000000001},
	{UNIT_TIME, "1.50000000000000000000000000000ms", NULL, 1500000},
	{UNIT_TIME, "  250 us\t", NULL, 250000},
	{UNIT_TIME, ".5us", NULL, 500},
	{UNIT_TIME, "007ns", NULL, 7},
	{UNIT_TIME, "0", NULL, 0},
	{UNIT_TIME, "0.0", NULL, 0},
	{UNIT_TIME, "8", "ms", 8000000},
	{UNIT_TIME, "8us", "ms", 8000},
	{UNIT_TIME, "0.5", "ms", 500000},
	{UNIT_TIME, "9223372036854775807ns", NULL, INT64_MAX},
	{UNIT_TIME, "9223372036.854775807s", NULL, INT64_MAX},
	{UNIT_TIME, "00000000000000000000000000000000000000001ns", NULL, 1},
	{UNIT_BYTES, "4096", NULL, 4096},
	{UNIT_BYTES, "4 MiB", NULL, 4194304},
	{UNIT_BYTES, "1.5kB", NULL, 1500},
	{UNIT_BYTES, "0.000000000931322574615478515625GiB", NULL, 1},
	{UNIT_BYTES, "8589934591.999999999068677425384521484375GiB", NULL, INT64_MAX},
	{UNIT_BYTES, "2GB", NULL, 2000000000},
	{UNIT_BANDWIDTH, "10GB/s", NULL, 10000000000},
	{UNIT_BANDWIDTH, "12.8GB/s", NULL, 12800000000},
	{UNIT_BANDWIDTH, "1KiB/s", NULL, 1024},
	{UNIT_POWER, "1W", NULL, 1000000},
	{UNIT_POWER, "0.25mW", NULL, 250},
	{UNIT_RATIO, "20%", NULL, 200000},
	{UNIT_RATIO, "0.2", NULL, 200000},
	{UNIT_RATIO, "0.0001%", NULL, 1},
	{UNIT_RATIO, "0.000001", NULL, 1},
	{UNIT_RATIO, "1.5", NULL, 1500000},
	{UNIT_FREQUENCY, "1.2GHz", NULL, 1200000000},
	{UNIT_FREQUENCY, "1216 MHz", NULL, 1216000000},
	{UNIT_FREQUENCY, "0.5kHz", NULL, 500},
	{UNIT_FREQUENCY, "3Hz", NULL, 3},
	/* What scripts print: sums, quotients and powers of doubles. Noise is rounded to the nearest base
	   unit. */
	{UNIT_TIME, "0.6000000000000001", "ms", 600000},
	{UNIT_TIME, "0.30000000000000004", "ms", 300000},
	{UNIT_TIME, "0.7999999999999999", "ms", 800000},
	{UNIT_TIME, "135802.37000000002ms", NULL, 135802370000},
	{UNIT_TIME, "0.3333333333333333", "ms", 333333},
	{UNIT_TIME, "0.6666666666666666", "ms", 666667},
	{UNIT_TIME, "999.9999999999999", "ms", 1000000000},
	{UNIT_TIME, "0.0000005000000000000001", "ms", 1},
	{UNIT_TIME, "0.0000004999999999999999", "ms", 0},
	{UNIT_TIME, "1234567890.123456", "ns", 1234567890}, /* 16 digits; 15 are refused */
	{UNIT_TIME, "2.0000000001us", NULL, 2000},          /* a ten-millionth of a ns above 2000 */
	{UNIT_TIME, "0.9999991ns", NULL, 1},
	{UNIT_TIME, "0.0000009ns", NULL, 0},
	{UNIT_TIME, "5e-05", "ms", 50},
	{UNIT_TIME, "5E-05", "ms", 50},
	{UNIT_TIME, "1e-05ms", NULL, 10},
	{UNIT_TIME, "1.5e+3us", NULL, 1500000},
	{UNIT_TIME, "12.5e1 us", NULL, 125000},
	{UNIT_TIME, "1e9ns", NULL, 1000000000},
	{UNIT_TIME, "0.15e1us", NULL, 1500},
	{UNIT_TIME, "1.5e0us", NULL, 1500},
	{UNIT_TIME, "5.551115123125783e-17", "ms", 0},
	{UNIT_TIME, "5e-324", "ms", 0},
	{UNIT_TIME, "0e5", NULL, 0},
	{UNIT_TIME, "0e999", "ms", 0},
	{UNIT_TIME, "0.00e-999", "ms", 0},
	{UNIT_TIME, "-0", "ms", 0},
	{UNIT_TIME, "-0.0", NULL, 0},
	{UNIT_TIME, "-0.0ms", NULL, 0},
	{UNIT_TIME, "-1e-17", "ms", 0},
	{UNIT_TIME, "-2.7755575615628914e-17", "s", 0},
	{UNIT_BYTES, "1e6", NULL, 1000000},
	{UNIT_BYTES, "4.000000000000001MiB", NULL, 4194304},
	{UNIT_RATIO, "0.30000000000000004", NULL, 300000},
	{UNIT_RATIO, "0.3333333333333333", NULL, 333333},
	{UNIT_RATIO, "1e-06", NULL, 1},
	{UNIT_RATIO, "20.000000000000004%", NULL, 200000},
	{UNIT_POWER, "0.10000000000000003mW", NULL, 100},
};

TEST("reads exactly, but for the noise of floating point")
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		const struct reading *r = &readings[i];
		struct error err = {0};
		int64_t value = -1;
		if (!unit_parse(r->kind, r->text, r->unit, &value, &err))
			fail_msg("%s: %s", r->text, err.text);
		if (value != r->value)
			fail_msg("%s gives %lld", r->text, (long long)value);
	}
}

/* Whatever whole number of ns a script divides to ms, and however it prints that, comes back. */
TEST("reads back what printf prints of a double")
{
	struct random_key key = {.seed = 6, .purpose = RANDOM_TEST};
	for (key.job = 0; key.job < 20000; key.job++) {
		int64_t ns = random_upto(&key, INT64_C(1) << key.job % 42), value = -1;
		char text[64];
		double ms = (double)ns / 1e6;
		if (key.job % 2)
			snprintf(text, sizeof(text), "%.17g", ms);
		else
			snprintf(text, sizeof(text), "%.17e", ms);
		struct error err = {0};
		if (!unit_parse(UNIT_TIME, text, "ms", &value, &err) || value != ns)
			fail_msg("%lld ns, printed as %s ms: %lld %s", (long long)ns, text, (long long)value,
				err.text);
	}
}

struct refusal {
	enum unit_kind kind;
	const char *text, *unit, *message;
};

#define DURATION "wants a duration such as 250us or 1.5ms, got "
static const struct refusal refusals[] = {
	{UNIT_TIME, "50", NULL, DURATION "\"50\""},
	{UNIT_TIME, "", "ms", DURATION "\"\""},
	{UNIT_TIME, "ms", "ms", DURATION "\"ms\""},
	{UNIT_TIME, "four", "ms", DURATION "\"four\""},
	{UNIT_TIME, "1.ms", NULL, DURATION "\"1.ms\""},
	{UNIT_TIME, ".ms", NULL, DURATION "\".ms\""},
	{UNIT_TIME, "1.5.2ms", NULL, DURATION "\"1.5.2ms\""},
	{UNIT_TIME, "1e401ms", NULL, DURATION "\"1e401ms\""},
	{UNIT_TIME, "1e-401ms", NULL, DURATION "\"1e-401ms\""},
	{UNIT_TIME, "1e99999999999999999999ms", NULL, DURATION "\"1e99999999999999999999ms\""},
	{UNIT_TIME, "1e", "ms", DURATION "\"1e\""},
	{UNIT_TIME, "1e-ms", NULL, DURATION "\"1e-ms\""},
	{UNIT_TIME, "e5ms", NULL, DURATION "\"e5ms\""},
	{UNIT_TIME, "1e5.5ms", NULL, DURATION "\"1e5.5ms\""},
	{UNIT_TIME, "-1e-5", "ms", "must not be negative, got \"-1e-5\""},
	{UNIT_TIME, "1e10s", NULL, "is too large: \"1e10s\""},
	{UNIT_TIME, "1e308", "ns", "is too large: \"1e308\""},
	{UNIT_TIME, "0x10ns", NULL, DURATION "\"0x10ns\""},
	{UNIT_TIME, "1,5ms", NULL, DURATION "\"1,5ms\""},
	{UNIT_TIME, "+5ms", NULL, DURATION "\"+5ms\""},
	{UNIT_TIME, "5 m s", NULL, DURATION "\"5 m s\""},
	{UNIT_TIME, "5MS", NULL, DURATION "\"5MS\""},
	{UNIT_TIME, "5msx", NULL, DURATION "\"5msx\""},
	{UNIT_TIME, "5%", NULL, DURATION "\"5%\""},
	{UNIT_TIME, "--5ms", NULL, DURATION "\"--5ms\""},
	{UNIT_TIME, "nan", "ms", DURATION "\"nan\""},
	{UNIT_TIME, "-5ms", NULL, "must not be negative, got \"-5ms\""},
	{UNIT_TIME, "-0.4ns", NULL, "must not be negative, got \"-0.4ns\""},
	{UNIT_TIME, "-1e300", "ms", "must not be negative, got \"-1e300\""},
	{UNIT_TIME, "-5", NULL, "must not be negative, got \"-5\""},
	{UNIT_TIME, "-0W", NULL, DURATION "\"-0W\""},
	{UNIT_TIME, "-", "ms", DURATION "\"-\""},
	{UNIT_TIME, "-ms", NULL, DURATION "\"-ms\""},
	{UNIT_TIME, "0.5ns", NULL, "is finer than 1 ns: \"0.5ns\""},
	{UNIT_TIME, "1.0000000001s", NULL, "is finer than 1 ns: \"1.0000000001s\""},
	{UNIT_TIME, "5e-1ns", NULL, "is finer than 1 ns: \"5e-1ns\""},
	{UNIT_TIME, "0.6000001", "ms", "is finer than 1 ns: \"0.6000001\""},
	{UNIT_TIME, "0.000001ns", NULL, "is finer than 1 ns: \"0.000001ns\""},
	{UNIT_TIME, "0.999999ns", NULL, "is finer than 1 ns: \"0.999999ns\""},
	{UNIT_TIME, "123456789.123456", "ns", "is finer than 1 ns: \"123456789.123456\""},
	{UNIT_TIME, "9223372036854775807.9999999ns", NULL, "is too large: \"9223372036854775807.9999999ns\""},
	{UNIT_TIME, "9223372036854775808ns", NULL, "is too large: \"9223372036854775808ns\""},
	{UNIT_TIME, "9223372036.854775808s", NULL, "is too large: \"9223372036.854775808s\""},
	{UNIT_TIME, "99999999999999999999999999999s", NULL,
		"is too large: \"99999999999999999999999999999s\""},
	{UNIT_BYTES, "0.5", NULL, "is finer than 1 byte: \"0.5\""},
	{UNIT_BYTES, "4MiB/s", NULL, "wants a size such as 4096 or 4MiB, got \"4MiB/s\""},
	{UNIT_BYTES, "8589934592GiB", NULL, "is too large: \"8589934592GiB\""},
	{UNIT_BANDWIDTH, "10", NULL, "wants a bandwidth such as 10GB/s, got \"10\""},
	{UNIT_BANDWIDTH, "10GB", NULL, "wants a bandwidth such as 10GB/s, got \"10GB\""},
	{UNIT_POWER, "5", NULL, "wants a power such as 50mW or 1.5W, got \"5\""},
	{UNIT_RATIO, "20 percent", NULL, "wants a ratio such as 0.2 or 20%, got \"20 percent\""},
	{UNIT_RATIO, "0.0000001", NULL, "is finer than one millionth: \"0.0000001\""},
	{UNIT_FREQUENCY, "1000000", NULL, "wants a frequency such as 1.2GHz, got \"1000000\""},
	{UNIT_FREQUENCY, "1.2Ghz", NULL, "wants a frequency such as 1.2GHz, got \"1.2Ghz\""},
	{UNIT_FREQUENCY, "0.0001kHz", NULL, "is finer than 1 Hz: \"0.0001kHz\""},
};

TEST("refuses the rest")
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refusal *r = &refusals[i];
		struct error err = {0};
		int64_t value;
		assert_false(unit_parse(r->kind, r->text, r->unit, &value, &err));
		assert_int_equal(err.status, STATUS_INPUT);
		assert_string_equal(err.text, r->message);
	}
}

TEST("quotes junk of any length")
{
	char junk[5000];
	memset(junk, '9', sizeof(junk));
	junk[sizeof(junk) - 1] = '\0';
	struct error err;
	int64_t value;
	assert_false(unit_parse(UNIT_TIME, junk, "ms", &value, &err));
	assert_in_range(strlen(err.text), 60, 100);
}

TEST("reads ratios")
{
	static const struct {
		const char *text;
		int64_t numerator, denominator;
	} ratios[] = {{"1.8", 9, 5}, {"1", 1, 1}, {"2.50", 5, 2}, {"0.000000001", 1, 1000000000},
		{"999999999.999999999", 999999999999999999, 1000000000}, {"0003.0", 3, 1}, {".5", 1, 2},
		{"1.3333333330000", 1333333333, 1000000000}, {"1.7999999999999998", 9, 5},
		{"1.2000000000000002", 6, 5}, {"0.9999999999999999", 1, 1}, {"1.8e0", 9, 5}, {"18e-1", 9, 5},
		{"1e3", 1000, 1}, {"1.7999999999999998e+0", 9, 5}};
	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		int64_t p = 0, q = 0;
		assert_true(ratio_parse(ratios[i].text, &p, &q, NULL));
		assert_true(p == ratios[i].numerator && q == ratios[i].denominator);
	}
	static const char *const bad[] = {"", "0", "0.0", "-1", "1.8x", "1.", "1 8", "1e9", "1000000000",
		"0.0000000001", "1e-10", "0e999", "1e401", "50%", "inf"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = {0};
		int64_t p, q;
		assert_false(ratio_parse(bad[i], &p, &q, &err));
		assert_int_equal(err.status, STATUS_INPUT);
		assert_non_null(strstr(err.text, bad[i]));
	}
}

/* Bug: 0.3 - 0.1 - 0.2 in a script, and what else is calculated and below half a billionth, was 0/1. */
TEST("a calculated ratio that rounds to 0 is refused")
{
	static const char *const bad[] = {
		"0.30000000000000004e-21", "0.00000000049999999999999999", "4.440892098500626e-16"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = {0};
		int64_t p, q;
		assert_false(ratio_parse(bad[i], &p, &q, &err));
		assert_int_equal(err.status, STATUS_INPUT);
		assert_non_null(strstr(err.text, "must be above 0"));
	}
	int64_t p = 0, q = 0;
	assert_true(ratio_parse("0.00000000051111111111111111", &p, &q, NULL));
	assert_true(p == 1 && q == 1000000000);
}

TEST("reads whole numbers, however they are written")
{
	static const struct {
		const char *text;
		int64_t value;
	} wholes[] = {{"20", 20}, {"20.0", 20}, {"020.000", 20}, {"2e1", 20}, {"200e-1", 20}, {"0.2e2", 20},
		{"1E0", 1}, {"-3", -3}, {"-3.0e0", -3}, {"0", 0}, {"-0.0", 0}, {"0e999", 0}, {".0", 0},
		{"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN},
		{"9223372036854775807.0", INT64_MAX}, {"9.007199254740993e15", 9007199254740993}};
	for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
		int64_t value = -77;
		assert_int_equal(whole_parse(wholes[i].text, &value), WHOLE_READ);
		assert_true(value == wholes[i].value);
	}
	static const char *const fractions[] = {"", "-", "20.5", "1e-1", "20.", "+1", " 1", "1 ", "--1", "1x",
		"0x1", "1e", "nan", "20.000000000000004", "1,000"};
	int64_t value;
	for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++)
		assert_int_equal(whole_parse(fractions[i], &value), WHOLE_NOT);
	static const char *const far[] = {"9223372036854775808", "1e19", "1e300", "9223372036854775808.0"};
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		assert_int_equal(whole_parse(far[i], &value), WHOLE_TOO_LARGE);
		assert_true(value == INT64_MAX);
	}
	assert_int_equal(whole_parse("-1e19", &value), WHOLE_TOO_LARGE);
	assert_true(value == INT64_MIN);
}

TEST("writes the shortest")
{
	static const struct {
		enum unit_kind kind;
		int64_t value;
		const char *text;
	} texts[] = {
		{UNIT_TIME, 0, "0s"},
		{UNIT_TIME, 1, "1ns"},
		{UNIT_TIME, 999, "999ns"},
		{UNIT_TIME, 1000, "1us"},
		{UNIT_TIME, 3800000, "3.8ms"},
		{UNIT_TIME, 250000, "250us"},
		{UNIT_TIME, 1500000000, "1.5s"},
		{UNIT_TIME, 1234567, "1234567ns"},
		{UNIT_TIME, -3800000, "-3.8ms"},
		{UNIT_TIME, INT64_MAX, "9223372036.854775807s"},
		{UNIT_TIME, INT64_MIN, "-9223372036.854775808s"},
		{UNIT_BYTES, 4194304, "4MiB"},
		{UNIT_BYTES, 1000, "1kB"},
		{UNIT_BYTES, 1500, "1.5kB"},
		{UNIT_BYTES, 1024, "1KiB"},
		{UNIT_BYTES, INT64_MAX, "9223372036854775807B"},
		{UNIT_BANDWIDTH, 12800000000, "12.8GB/s"},
		{UNIT_POWER, 1000000, "1W"},
		{UNIT_POWER, 50000, "50mW"},
		{UNIT_RATIO, 200000, "20%"},
		{UNIT_RATIO, 1, "0.0001%"},
		{UNIT_RATIO, 0, "0%"},
		{UNIT_FREQUENCY, 1200000000, "1.2GHz"},
		{UNIT_FREQUENCY, 999, "999Hz"},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char buffer[UNIT_TEXT_MAX];
		assert_string_equal(unit_format(texts[i].kind, texts[i].value, buffer), texts[i].text);
	}
}

TEST("writes two values of one sentence in one unit")
{
	static const struct {
		int64_t values[2];
		const char *first, *second;
	} pairs[] = {
		{{12822000, 12000000}, "12.822ms", "12ms"},
		{{12000000, 12822000}, "12ms", "12.822ms"},
		{{2000000000, 900000000}, "2s", "0.9s"},
		{{287, 200}, "287ns", "200ns"},
		{{12800000, 12000000}, "12.8ms", "12ms"},
		{{40000000, 20}, "40ms", "0.00002ms"},
		{{0, 5000}, "0us", "5us"},
		{{-5000, 5000}, "-5us", "5us"},
		{{INT64_MIN, INT64_MAX}, "-9223372036.854775808s", "9223372036.854775807s"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char first[UNIT_TEXT_MAX], second[UNIT_TEXT_MAX];
		unit_format_alike(UNIT_TIME, pairs[i].values, first, second);
		assert_string_equal(first, pairs[i].first);
		assert_string_equal(second, pairs[i].second);
	}
}

TEST("reads what it writes")
{
	static const enum unit_kind kinds[] = {
		UNIT_TIME, UNIT_BYTES, UNIT_BANDWIDTH, UNIT_POWER, UNIT_RATIO, UNIT_FREQUENCY};
	struct random_key key = {.seed = 5, .purpose = RANDOM_TEST};
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		for (key.job = 0; key.job < 20000; key.job++) {
			/* Every order of magnitude; half of them with zeros at the end. */
			int64_t value = random_upto(&key, INT64_MAX >> key.job % 63);
			if (key.job % 2)
				value -= value % 1000000;
			char buffer[UNIT_TEXT_MAX];
			int64_t back = -1;
			unit_format(kinds[k], value, buffer);
			assert_true(unit_parse(kinds[k], buffer, NULL, &back, NULL));
			assert_true(back == value);
		}
	}
}
