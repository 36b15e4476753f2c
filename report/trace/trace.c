/* report/trace/trace.c - writes the parts of a trace in order, into its file. */
#include "report/trace/trace.h"

#include <assert.h>

#include "report/trace/private.h"

static bool write_parts(struct trace_export *t, struct error *err)
{
	trace_begin(t);
	if (t->segments && !(trace_contexts(t, err) && trace_segments(t, err)))
		return false;
	if (t->blocks && !trace_blocks(t, err))
		return false;
	if (!trace_jobs(t, err))
		return false;
	if (t->segments && !(trace_queues(t, err) && trace_power(t, err)))
		return false;
	return (!t->blocks || trace_occupancy(t, err)) && trace_flush_out(t, err);
}

bool trace_write(struct db_reader *reader, const char *recording, const char *path,
	const struct trace_request *request, struct trace_summary *summary, struct error *err)
{
	struct trace_export t = {
		.reader = reader,
		.recording = recording,
		.request = request,
		.summary = summary,
		.run = request->run,
		.from = request->from_ns,
		.to = request->to_ns,
	};
	assert(t.from >= 0 && t.from < t.to);
	*summary = (struct trace_summary){0};
	bool ok = trace_read_run(&t, err);
	if (ok && output_begin(&t.file, path, request->replace, err))
		ok = write_parts(&t, err) && output_commit(&t.file, err);
	else
		ok = false;
	if (!ok)
		output_abandon(&t.file);
	trace_finish_run(&t);
	text_finish(&t.name);
	protobuf_finish(&t.out);
	return ok;
}
