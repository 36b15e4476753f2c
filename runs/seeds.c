/* runs/seeds.c - see runs/seeds.h. */
#include "runs/seeds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* Reads a number and moves on behind it. */
static bool read_number(const char **text, int64_t *number)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*number = strtoll(*text, &end, 10);
	*text = end;
	return errno == 0;
}

static bool read_range(const char **text, struct seed_range *range)
{
	if (!read_number(text, &range->first))
		return false;
	range->last = range->first;
	if (strncmp(*text, "..", 2) != 0)
		return true;
	*text += 2;
	return read_number(text, &range->last) && range->last >= range->first;
}

static bool add_range(struct seeds *s, const struct seed_range *range, const char *noun, struct error *err)
{
	for (uint32_t i = 0; i < s->range_count; i++) {
		const struct seed_range *other = &s->ranges[i];
		if (range->first <= other->last && other->first <= range->last)
			return error_set(err, STATUS_INPUT, "%s %" PRId64 " is given twice", noun,
				range->first > other->first ? range->first : other->first);
	}
	if (range->last - range->first >= SEEDS_MAX || s->range_count == SEED_RANGES_MAX ||
		s->count + (uint32_t)(range->last - range->first) + 1 > SEEDS_MAX)
		return error_set(err, STATUS_INPUT, "at most %u %ss in %u ranges can be given", SEEDS_MAX,
			noun, SEED_RANGES_MAX);
	struct seed_range *grown =
		list_room(s->ranges, s->range_count, sizeof(*grown), "a list of numbers", err);
	if (!grown)
		return false;
	s->ranges = grown;
	s->ranges[s->range_count++] = *range;
	s->count += (uint32_t)(range->last - range->first) + 1;
	return true;
}

bool seeds_parse(const char *text, const char *noun, struct seeds *s, struct error *err)
{
	const char *rest = text;
	bool ok = true;
	*s = (struct seeds){0};
	for (bool more = true; ok && more; rest += more) {
		struct seed_range range;
		if (!read_range(&rest, &range) || (*rest != ',' && *rest != '\0'))
			ok = error_set(err, STATUS_INPUT,
				"%ss are written 1..100 or 1,5,9 (from 0 on), not '%.100s'", noun, text);
		else
			ok = add_range(s, &range, noun, err);
		more = *rest == ',';
	}
	if (!ok)
		seeds_finish(s);
	return ok;
}

uint64_t seeds_at(const struct seeds *s, uint32_t i)
{
	const struct seed_range *range = s->ranges;
	for (; i > range->last - range->first; range++)
		i -= (uint32_t)(range->last - range->first) + 1;
	return (uint64_t)range->first + i;
}

void seeds_finish(struct seeds *s)
{
	free(s->ranges);
	*s = (struct seeds){0};
}

void seeds_write(struct text *out, const uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = i;
		while (i + 1 < count && numbers[i + 1] == numbers[i] + 1)
			i++;
		text_printf(out, "%s%" PRIu32, first ? "," : "", numbers[first]);
		if (i > first)
			text_printf(out, "..%" PRIu32, numbers[i]);
	}
}
