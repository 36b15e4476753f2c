/* scenarios/tables.h - the vocabulary of scenario files as tables for the binder.
 *
 * Entries hold what a file says, before anything is resolved; scenarios/scenario.c makes models of them.
 * Campaign files, which also hold platforms, use the same shapes: their binder's context must be a struct
 * description. */
#ifndef CEGSIM_SCENARIOS_TABLES_H
#define CEGSIM_SCENARIOS_TABLES_H

#include "models/judge.h"
#include "models/params.h"
#include "models/platform.h"
#include "models/policy.h"
#include "models/setup.h"
#include "models/taskset.h"
#include "scenarios/binder.h"
#include "scenarios/scenario.h"
#include "scenarios/tables_warp.h"

#define NAME_BYTES_MAX 100

struct release_entry {
	int kind; /* enum release_kind */
	int64_t max_delay_ppm, jitter_ns;
	char *trace;              /* the file's name, as the scenario spells it */
	const struct node *at;    /* place of the name in the file; NULL: no trace, or with errors */
	const struct node *after; /* a name or a list of names; NULL: not released after others */
};

/* A chain, before its tasks are looked up. */
struct chain_entry {
	char *name;
	const struct node *tasks; /* a list of names */
	int communication;        /* enum chain_communication */
	int sample;               /* enum chain_sample */
	int64_t reaction_ns, age_ns;
	const struct node *at; /* NULL: it has errors */
};

struct profile_entry {
	struct profile profile; /* best_ns NULL: as worst_ns */
	uint32_t best_count, power_count;
};

/* The times of some blocks of a grid, in the order of the blocks. */
struct block_entry {
	int64_t ends[2]; /* block_times: best and worst case, ns; block_shares: ppm, and unused */
	uint32_t blocks; /* 0: one */
};

struct segment_entry {
	struct segment segment;
	struct block_entry *times, *shares; /* of a grid; NULL: not given */
	struct program_entry program;       /* of a grid; no steps: not given */
	uint32_t time_count, share_count;
	int stream_high; /* 0, 1, or -1: as the task has it */
	int idempotent;
	int async;
};

struct sms_list {
	uint32_t *sms;
	uint32_t count; /* 0: not confined */
};

/* Of a task: SMs, or a percentage of them, which becomes SMs in settle_masks(). */
struct sms_entry {
	struct sms_list given;
	int64_t share_ppm;      /* 0: not given as a percentage */
	struct sms_list *share; /* by GPU: what the percentage is there; NULL: not given as one */
	const struct node *at;  /* NULL: not given */
};

struct misses_entry {
	uint32_t at_most, in; /* in 0: no limit */
};

struct task_entry {
	struct task task; /* segments and release are filled in later */
	struct segment_entry *segments;
	uint32_t segment_count;
	struct release_entry release;
	struct misses_entry misses;
	struct sms_entry sms;
	int32_t stream;
	int32_t gpu; /* or GPU_ANY */
	int stream_high, best_effort;
	bool sound; /* it has no errors */
	const struct node *at;
};

struct horizon_entry {
	int64_t ns;
	int64_t hyperperiods, cycles; /* both 0: ns holds */
};

struct execution_entry {
	int kind; /* enum execution_kind */
	int64_t scale_ppm;
	char *samples; /* the file's name, as the scenario spells it */
	int together;
	const struct node *at; /* place of the name in the file; NULL: no samples */
};

struct task_names;
struct description {
	const char *file; /* the file that is read: files that it names are searched for in its folder */
	const struct stored_files *stored; /* NULL: files are in the file system */
	int version;
	char *name;
	struct platform platform;
	bool platform_sound, profiles_sound; /* given, and without errors */
	struct profile_entry *profiles;
	uint32_t profile_count;
	struct task_entry *tasks; /* or */
	uint32_t task_count;
	struct task_names
		*names; /* of the tasks (scenarios/task_names.h), while what names them is settled */
	struct chain_entry *chains;
	uint32_t chain_count;
	struct warp_entry warp;
	struct programs_entry programs;
	struct horizon_entry horizon;
	int stop;
	int64_t limit_ns;
	int64_t seed;
	struct release_entry release;
	struct execution_entry execution;
	int on_miss, ties;
	struct policy_use *policies;
	uint32_t policy_count;
	struct campaign_analysis *analyses;
	uint32_t analysis_count;
	int record;
};

#define STREAM_INHERITED (-3)    /* a segment's stream: that of its task */
#define GPU_INHERITED UINT32_MAX /* and its GPU */
#define GPU_ANY (-2)             /* of a task: it is chosen (scenarios/settle_gpus.c) */

extern const struct binder_shape shape_scenario;     /* struct description */
extern const struct binder_shape shape_time_unit;    /* nothing; sets the binder's time_unit */
extern const struct binder_shape shape_platform;     /* struct platform, with its defaults or a preset's */
extern const struct binder_shape shape_profiles;     /* list of struct profile_entry */
extern const struct binder_shape shape_tasks;        /* list of struct task_entry */
extern const struct binder_shape shape_release;      /* struct release_entry */
extern const struct binder_shape shape_task_release; /* the same, of a task: also after others */
extern const struct binder_shape shape_chains;       /* list of struct chain_entry */
extern const struct binder_shape shape_execution;    /* struct execution_entry */
extern const struct binder_shape shape_misses;       /* struct misses_entry */
extern const struct binder_shape shape_stream;       /* int32_t */
extern const struct binder_shape shape_direction;    /* enum copy_direction */
extern const struct binder_shape shape_interleave;   /* list of struct interleave */
extern const struct binder_shape shape_copy_bytes;   /* int64_t */
extern const struct binder_shape shape_copy_times;   /* list of struct copy_time */
extern const struct binder_shape shape_async;        /* int */
extern const struct binder_shape shape_after;        /* list of char * */
extern const struct binder_shape shape_wait;         /* struct segment_entry: whose operations */
extern const struct binder_shape shape_kernel_sms;   /* list of uint32_t, ascending */
extern const struct binder_shape shape_task_sms;     /* struct sms_entry */
extern const struct binder_shape shape_on_miss, shape_stop, shape_ties, shape_record; /* int */
extern const struct binder_shape shape_policies; /* list of struct policy_use */
extern const struct binder_shape shape_analyses; /* list of struct campaign_analysis */

/* Reads options of a policy, or of anything else with a table of options. `who` begins messages: "policy
 * 'rm'". Every pair of `map` is an option, except the one whose value is `name`. Or one option alone is read
 * with its value, which need not follow its key. */
bool options_read(struct binder *b, const char *who, const struct node *map, const struct node *name,
	struct params *params);
bool option_read(struct binder *b, const char *who, const struct node *key, const struct node *value,
	struct params *params);
/* Whether an earlier pair of the mapping has the same key. */
bool key_is_repeated(const struct node *map, const struct node *key);
/* Prints the options as properties of a JSON Schema object, with a comma in front of each. options may be
 * NULL. */
void options_schema(struct text *out, const struct option *options);

/* Checks the names of a task's segments, and those by which others of them wait for them. */
bool check_segment_names(struct binder *b, const struct node *node, const struct task_entry *e);

/* Confines the kernels of tasks that have `sms`, but for those that have their own. */
bool settle_masks(struct binder *b, struct description *d, const struct platform *p);

/* Shapes that several tables use. */
extern const struct binder_shape shape_name;     /* char *, at most NAME_BYTES_MAX */
extern const struct binder_shape shape_duration; /* int64_t ns, 0 .. TIME_MAX_NS */
extern const struct binder_shape shape_length;   /* the same, at least 1 ns */

#endif
