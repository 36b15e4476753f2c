/* runs/campaign/worker.c - see runs/campaign/worker.h. */
#include "runs/campaign/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/list.h"

#define COMMIT_SECONDS 0.5

struct worker_stretch {
	uint32_t first, count;
};

struct worker {
	const struct worker_spec *spec;
	struct db_writer *writer;
	struct db_units *units;
	struct unit_maker maker;
	struct worker_stretch open;    /* units since the last mark */
	struct worker_stretch *marked; /* since the last commit */
	size_t marked_count, marked_capacity;
	double committed; /* when that was */
};

/* The report is small enough for a pipe to take it in one piece. False: the parent has ended. */
static bool report(const struct worker *w, enum worker_report kind, uint32_t first, uint32_t count)
{
	const struct worker_message message = {kind, first, count};
	return write(w->spec->reports, &message, sizeof(message)) == (ssize_t)sizeof(message);
}

static int fail(const struct worker *w, const struct error *err)
{
	struct {
		struct worker_message message;
		char text[sizeof(err->text)];
	} report = {{WORKER_FAILED, err->status, (uint32_t)strlen(err->text)}, {0}};
	size_t size = sizeof(report.message) + report.message.count;
	memcpy(report.text, err->text, report.message.count);
	/* If it cannot be written, the parent has ended */
	return write(w->spec->reports, &report, size) == (ssize_t)size ? (int)err->status : STATUS_IO;
}

/* ---- transactions ---- */

static bool mark(struct worker *w, struct error *err)
{
	if (w->open.count == 0)
		return true;
	if (!list_reserve(&w->marked, &w->marked_capacity, w->marked_count + 1, sizeof(*w->marked)))
		return error_memory(err, "keeping account of finished units");
	w->marked[w->marked_count++] = w->open;
	bool ok = units_mark(w->units, w->open.first, w->open.count, err);
	w->open.count = 0;
	return ok;
}

static bool commit(struct worker *w, struct error *err)
{
	if (!mark(w, err) || !writer_commit(w->writer, err))
		return false;
	for (size_t i = 0; i < w->marked_count; i++)
		if (!report(w, WORKER_COMMITTED, w->marked[i].first, w->marked[i].count))
			return error_set(err, STATUS_IO, "the sweep is gone");
	w->marked_count = 0;
	w->committed = clock_seconds();
	return true;
}

/* ---- units ---- */

static bool make(struct worker *w, uint32_t unit, struct error *err)
{
	if (w->open.count > 0 && unit != w->open.first + w->open.count && !mark(w, err))
		return false;
	if (!unit_make(&w->maker, unit, err))
		return false;
	if (w->open.count++ == 0)
		w->open.first = unit;
	return clock_seconds() - w->committed < COMMIT_SECONDS || commit(w, err);
}

/* False: nothing is left to do, or *failed. Commits before it waits. */
static bool take(struct worker *w, struct worker_command *batch, bool *failed, struct error *err)
{
	struct pollfd ready = {.fd = w->spec->commands, .events = POLLIN};
	if (poll(&ready, 1, 0) == 0 && !commit(w, err)) {
		*failed = true;
		return false;
	}
	ssize_t size;
	do
		size = read(w->spec->commands, batch, sizeof(*batch));
	while (size < 0 && errno == EINTR);
	if (size == (ssize_t)sizeof(*batch))
		return true;
	*failed = size != 0; /* else the sweep has closed it */
	if (*failed)
		error_set(err, STATUS_IO, "cannot read which sets to make: %s",
			size < 0 ? strerror(errno) : "only a part has come");
	return false;
}

static bool work(struct worker *w, struct error *err)
{
	struct worker_command batch;
	bool failed = false;
	while (!w->spec->view->stop && take(w, &batch, &failed, err)) {
		if (!report(w, WORKER_BEGUN, batch.first, batch.count))
			return error_set(err, STATUS_IO, "the sweep is gone");
		for (uint32_t i = 0; i < batch.count && !w->spec->view->stop; i++)
			if (!make(w, batch.first + i, err))
				return false;
	}
	return !failed && commit(w, err);
}

static bool open_recording(struct worker *w, struct error *err)
{
	const struct worker_spec *s = w->spec;
	w->writer = writer_open_as(WRITER_PART, s->recording, false, err);
	w->units = w->writer ? units_open(w->writer, err) : NULL;
	w->committed = clock_seconds();
	return w->units && units_extent(w->units, &s->extent, err) &&
	       unit_maker_init(&w->maker, s->campaign, s->campaign_name, w->writer, w->units, s->troubles,
		       s->view, err) &&
	       writer_commit(w->writer, err);
}

int worker_run(const struct worker_spec *spec)
{
	struct worker w = {.spec = spec};
	struct error err = {.status = STATUS_IO};
	bool ok = open_recording(&w, &err) && work(&w, &err);
	int status = ok ? STATUS_OK : fail(&w, &err);
	unit_maker_finish(&w.maker);
	units_close(w.units);
	writer_abandon(w.writer, true);
	free(w.marked);
	return status;
}
