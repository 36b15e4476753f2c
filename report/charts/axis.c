/* report/charts/axis.c - chooses the ranges of a chart's axes, and the numbers at them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/charts/layout.h"

#define ROW_OF_NUMBERS 0.26 /* inches from one row of numbers to the next */
#define CLOSE_NUMBERS 0.17
#define NUMBER_GAP 0.14 /* inches between numbers side by side */
#define DECADE_FINE 1.3 /* a logarithmic axis of fewer decades has numbers between the powers of ten, too */

/* "LOW:HIGH"; "" and "*" leave an end unchanged. */
static void apply_given(const char *given, struct chart_axis *a)
{
	const char *colon = strchr(given, ':');
	char *end;
	double low = strtod(given, &end);
	if (colon && end == colon && end > given)
		a->low = low;
	double high = colon ? strtod(colon + 1, &end) : 0;
	if (colon && end > colon + 1)
		a->high = high;
}

/* Adds some room around the data; y begins at 0 if possible. */
static void give_room(const struct chart *c, char axis, struct chart_axis *a)
{
	if (a->log) {
		double room = a->high > a->low ? 1.12 : 2;
		a->low /= room;
		a->high *= room;
		return;
	}
	if (axis == 'x' && !chart_is_diagonal(c)) {
		double room = a->high > a->low ? 0.02 * (a->high - a->low)
			      : a->low != 0    ? fabs(a->low) / 2
					       : 1;
		bool steps = c->style.kind == CHART_STEPS &&
			     a->high > a->low; /* time has an end, and may begin at 0 */
		a->low -= steps && a->low == 0 ? 0 : room;
		a->high += steps && a->low == 0 ? 0 : room;
		return;
	}
	a->low = a->low > 0 ? 0 : a->low;
	a->high = a->high < 0 ? 0 : a->high;
	double room = 0.04 * (a->high - a->low);
	a->high += a->high > 0 ? room : 0;
	a->low -= a->low < 0 ? room : 0;
	if (!(a->high > a->low))
		a->high = 1;
}

/* ---- numbers ---- */

/* Writes a number as a power of ten, if one of the axis's numbers would be too long otherwise. */
static void log_tic(const struct chart_axis *a, double value, char label[CHART_TIC_MAX])
{
	int exponent = (int)floor(log10(value) + 1e-9);
	double mantissa = round(10 * value / pow(10, exponent)) / 10;
	if (a->low > 0.9e-3 && a->high < 1e5)
		snprintf(label, CHART_TIC_MAX, "%g", value);
	else if (mantissa == 1)
		snprintf(label, CHART_TIC_MAX, "10^{%d}", exponent);
	else
		snprintf(label, CHART_TIC_MAX, "%g\u00b710^{%d}", mantissa, exponent);
}

bool chart_axis_tic(const struct chart_axis *a, size_t index, double *value, char label[CHART_TIC_MAX])
{
	static const double mantissa[] = {1, 2, 5};
	if (!a->log) {
		*value = (ceil(a->low / a->step - 1e-6) + (double)index) * a->step;
		snprintf(label, CHART_TIC_MAX, "%g", *value == 0 ? 0 : *value);
		return *value <= a->high + 1e-6 * a->step;
	}
	if (a->ends[1] > 0) {
		*value = a->ends[index ? 1 : 0];
		log_tic(a, *value, label);
		return index < 2;
	}
	size_t steps = a->fine ? 3 : 1, skipped = 0;
	double first = floor(log10(a->low) + 1e-9);
	if (!a->fine)
		first = a->decades * ceil(log10(a->low) / a->decades - 1e-9);
	for (size_t i = 0;; i++) {
		*value = mantissa[i % steps] *
			 pow(10, first + (double)(i / steps) * (a->fine ? 1 : a->decades));
		if (*value > a->high * (1 + 1e-9))
			return false;
		if (*value < a->low * (1 - 1e-9))
			skipped++;
		else if (i - skipped == index)
			break;
	}
	log_tic(a, *value, label);
	return true;
}

double chart_axis_numbers(const struct chart_axis *a)
{
	char label[CHART_TIC_MAX];
	double value, widest = 0;
	for (size_t i = 0; chart_axis_tic(a, i, &value, label); i++) {
		bool power = strchr(label, '^');
		double width = chart_text_width(label) - (power ? chart_text_width("^{}") : 0);
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Whether its numbers do not touch each other along this many inches. */
static bool stand_apart(const struct chart_axis *a, char axis, double row, double length)
{
	double across = a->log ? log10(a->high / a->low) : (a->high - a->low) / a->step;
	double numbers = a->log ? a->fine ? across / 0.301 : across / a->decades : across;
	return numbers * (axis == 'y' ? row : chart_axis_numbers(a) + NUMBER_GAP) <= length;
}

/* The least number above `low` and the greatest below `high` of the form m * 10^n, where m is a multiple of
 * `step` from 1 to 10; false: these are not two. */
static bool outermost(const struct chart_axis *a, double step, double ends[2])
{
	double below = pow(10, floor(log10(a->low) + 1e-9)), above = pow(10, floor(log10(a->high) + 1e-9));
	double first = a->low / below, last = a->high / above;
	ends[0] = (first <= 1 + 1e-9 ? 1 : ceil(first / step - 1e-6) * step) * below;
	ends[1] = fmax(floor(last / step + 1e-6) * step, 1) * above;
	return ends[1] > ends[0] * (1 + 1e-9);
}

/* Two numbers near the ends, as round as the range allows: powers of ten, or with one digit, or with two. */
static void choose_ends(struct chart_axis *a, char axis, double length)
{
	static const double steps[] = {10, 1, 0.1};
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!outermost(a, steps[i], a->ends))
			continue;
		double apart = log10(a->ends[1] / a->ends[0]) / log10(a->high / a->low) * length;
		if (apart >= (axis == 'y' ? CLOSE_NUMBERS : chart_axis_numbers(a) + NUMBER_GAP))
			return;
	}
	a->ends[1] = 0;
}

/* A single number says little: then numbers may be closer, and at last there are two of any kind. */
static void choose_log_numbers(struct chart_axis *a, char axis, double length)
{
	char label[CHART_TIC_MAX];
	double value;
	for (int dense = 0; dense < 2; dense++) {
		a->decades = 1;
		a->fine = true;
		a->fine =
			log10(a->high / a->low) < DECADE_FINE && stand_apart(a, axis, CLOSE_NUMBERS, length);
		while (!a->fine && a->decades < 300 &&
			!stand_apart(a, axis, dense ? CLOSE_NUMBERS : ROW_OF_NUMBERS, length))
			a->decades++;
		if (chart_axis_tic(a, 1, &value, label))
			return;
	}
	choose_ends(a, axis, length);
}

static void choose_numbers(struct chart_axis *a, char axis, double length, bool whole)
{
	static const double steps[] = {1, 2, 5};
	if (a->log) {
		choose_log_numbers(a, axis, length);
		return;
	}
	double least = pow(10, floor(log10((a->high - a->low) / 100))), value;
	char label[CHART_TIC_MAX];
	for (int dense = 0; dense < 2;
		dense++) { /* a single number says little: then numbers may be closer */
		for (int i = 0; i < 12; i++) {
			a->step = least * steps[i % 3] * pow(10, i / 3);
			if ((!whole || a->step >= 1) &&
				stand_apart(a, axis, dense ? CLOSE_NUMBERS : ROW_OF_NUMBERS, length))
				break;
		}
		if (chart_axis_tic(a, 1, &value, label))
			return;
	}
}

struct chart_axis chart_axis_of(const struct chart *c, char axis, size_t panel, double length)
{
	bool x = axis == 'x';
	bool own = x ? c->style.x_free : c->style.y_free;
	const struct chart_panel *of = &c->panel[own ? panel : c->panels.count];
	struct chart_range r = x ? of->x : of->y;
	if (!isfinite(r.low))
		r = (struct chart_range){1, 1, false};
	struct chart_axis a = {.low = r.low, .high = r.high, .log = x ? c->style.x_log : c->style.y_log};
	give_room(c, axis, &a);
	apply_given(x ? c->style.x_range : c->style.y_range, &a);
	if (!(a.high > a.low) || (a.log && a.low <= 0))
		a.low = a.log ? a.high / 10 : a.high - 1; /* the given range contains no data */
	choose_numbers(&a, axis, length, x && r.whole);
	return a;
}
