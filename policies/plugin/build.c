/* policies/plugin/build.c - see policies/plugin/build.h. */
#include "policies/plugin/build.h"

#define AGAIN "build it again with this program's headers (pkg-config --cflags cegsim)"

/* A list of types: their names, and how large they are here. */
struct known_types {
	const char *const *name; /* [count] */
	size_t count;
	const uint32_t *size; /* [count], then 0 */
};

#define NAME(type) #type,
static const char *const type_names[] = {CEGSIM_PLUGIN_TYPES(NAME)};
static const char *const analysis_type_names[] = {CEGSIM_ANALYSIS_TYPES(NAME)};
#undef NAME

#define TYPES (sizeof(type_names) / sizeof(*type_names))
#define ANALYSIS_TYPES (sizeof(analysis_type_names) / sizeof(*analysis_type_names))
_Static_assert(TYPES < CEGSIM_PLUGIN_TYPES_MAX, "a 0 ends the list");
_Static_assert(ANALYSIS_TYPES < CEGSIM_ANALYSIS_TYPES_MAX, "a 0 ends the list");

static const uint32_t sizes[CEGSIM_PLUGIN_TYPES_MAX] = {CEGSIM_PLUGIN_TYPES(CEGSIM_PLUGIN_SIZE)};
static const uint32_t analysis_sizes[CEGSIM_ANALYSIS_TYPES_MAX] = {CEGSIM_ANALYSIS_TYPES(CEGSIM_PLUGIN_SIZE)};

static const struct known_types all = {type_names, TYPES, sizes};
static const struct known_types of_analyses = {analysis_type_names, ANALYSIS_TYPES, analysis_sizes};

/* `symbol` and `macro`: what the plug-in should have made its symbol with. */
static bool check_version(
	uint32_t theirs, uint32_t ours, const char *symbol, const char *macro, struct error *err)
{
	if (theirs >> 16 != ours >> 16)
		return error_set(err, STATUS_INPUT, ": its %s is not made by %s()", symbol, macro);
	return theirs == ours ||
	       error_set(err, STATUS_INPUT,
		       " was built for version %u of the interface, this program has version %u; " AGAIN,
		       theirs & 0xFFFF, ours & 0xFFFF);
}

static bool check_sizes(const struct known_types *ours, const uint32_t *theirs, struct error *err)
{
	for (size_t i = 0; i <= ours->count; i++)
		if (theirs[i] != ours->size[i])
			return error_set(err, STATUS_INPUT,
				" was built against other headers: %s has %u bytes there, %u here; " AGAIN,
				i < ours->count ? ours->name[i] : "a further type", theirs[i], ours->size[i]);
	return true;
}

bool build_check_policy(const struct cegsim_plugin *theirs, struct error *err)
{
	return check_version(theirs->abi, CEGSIM_PLUGIN_ABI, "cegsim_plugin", "CEGSIM_POLICY", err) &&
	       check_sizes(&all, theirs->size, err);
}

bool build_check_analysis(const struct cegsim_analysis *theirs, struct error *err)
{
	static const char symbol[] = "cegsim_analysis", macro[] = "CEGSIM_ANALYSIS";
	return check_version(theirs->abi, CEGSIM_ANALYSIS_ABI, symbol, macro, err) &&
	       check_version(theirs->plugin_abi, CEGSIM_PLUGIN_ABI, symbol, macro, err) &&
	       check_sizes(&all, theirs->size, err) && check_sizes(&of_analyses, theirs->analysis_size, err);
}
