/* captures/kineto.h - what the files that read a trace of PyTorch share; only for use in captures/. */
#ifndef CEGSIM_CAPTURES_KINETO_H
#define CEGSIM_CAPTURES_KINETO_H

#include <jansson.h>

#include "captures/build.h"
#include "captures/json.h"
#include "captures/json_stream.h"

/* A call of the CUDA API, by its correlation number, and whether it waits for something. */
struct kineto_call {
	int64_t correlation, start_ns, end_ns;
	uint32_t thread;
	const char *name;
};

struct kineto_name {
	int64_t pid;
	const char *name;
};

/* The stream that an event was recorded in, as one that waits for it says. */
struct kineto_record {
	int64_t correlation; /* of the call that recorded it */
	uint32_t stream;
};

struct kineto {
	struct json_stream *stream;
	struct capture *c;
	struct error *err;
	struct arena scratch;      /* of one event */
	unsigned line, column;     /* where the event begins */
	struct kineto_call *calls; /* [call_count] */
	size_t call_count;
	struct kineto_name *names; /* [name_count] of processes */
	size_t name_count;
	struct kineto_record *records; /* [record_count] */
	size_t record_count;
	bool has_syncs;       /* the trace has events of synchronisation */
	bool whole;           /* all times so far are whole microseconds */
	uint64_t no_end, odd; /* events left out: without a length; with impossible sizes */
	uint64_t collectives; /* kernels of NCCL */
};

/* Reports at the event. Always returns false. */
bool kineto_error(struct kineto *k, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* One event of the list; `text` is its JSON. */
MUST_CHECK bool kineto_event(struct kineto *k, const char *text, size_t length);
/* Gives work its calls, and makes waits and records of calls and of what the trace says of them. */
MUST_CHECK bool kineto_join(struct kineto *k);

#endif
