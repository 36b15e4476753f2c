/* scenarios/platform_text.h - a platform as the key `platform` of a scenario file, for those
 * who write one. */
#ifndef CEGSIM_SCENARIOS_PLATFORM_TEXT_H
#define CEGSIM_SCENARIOS_PLATFORM_TEXT_H

#include "base/text.h"
#include "models/platform.h"

/* Appends it as YAML, times in ns (the file says `time_unit: ns`). Reads back as the same platform, but
 * for its name. */
void platform_text(const struct platform *p, struct text *out);

/* Appends ", key: value" inside of a mapping, unless it is the value that holds without the key. */
void text_yaml_number(struct text *out, const char *key, int64_t value, int64_t without);

#endif
