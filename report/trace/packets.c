/* report/trace/packets.c - writes Perfetto's messages: TracePacket with TrackDescriptor or TrackEvent. Field
 * numbers are those of perfetto/trace/ in Perfetto's protos; tests/data/perfetto_subset.proto has the ones
 * that are used here.
 *
 * Names are interned: sent once with a number, and then referred to by it. If a task returns to a job after
 * another job, the job's name is sent again with a new number. So only the last name of each task must be
 * remembered.
 *
 * Slices of one track follow each other without overlap. Lanes are such tracks; if slices overlap in a
 * damaged recording, that is an error. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "report/trace/private.h"

enum { TRACE_PACKET = 1 };
enum {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
};
enum { INCREMENTAL_STATE_CLEARED = 1, NEEDS_INCREMENTAL_STATE = 2 };
enum { INTERNED_CATEGORIES = 1, INTERNED_EVENT_NAMES = 2, INTERNED_ANNOTATION_NAMES = 3 };
enum { ENTRY_IID = 1, ENTRY_NAME = 2 };
enum {
	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PARENT = 5,
	DESCRIPTOR_COUNTER = 8,
	DESCRIPTOR_CHILD_ORDERING = 11,
	DESCRIPTOR_RANK = 12,
};
enum { COUNTER_UNIT_NAME = 6 };
enum { CHILD_ORDERING_EXPLICIT = 3 };
enum {
	EVENT_CATEGORY_IIDS = 3,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER_VALUE = 30,
	EVENT_COUNTER_DOUBLE = 44,
	EVENT_FLOW_IDS = 47,
	EVENT_TERMINATING_FLOW_IDS = 48,
	EVENT_CORRELATION_ID = 52,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { ANNOTATION_NAME_IID = 1, ANNOTATION_INT = 4, ANNOTATION_STRING = 6 };

#define SEQUENCE_ID 1 /* there is only one writer */

static const char *const categories[] = {
	[CATEGORY_CPU] = "cpu",
	[CATEGORY_SPIN] = "spin",
	[CATEGORY_BOOST] = "boost",
	[CATEGORY_LAUNCH] = "launch",
	[CATEGORY_SWITCH] = "switch",
	[CATEGORY_RELEASE] = "release",
	[CATEGORY_COPY] = "copy",
	[CATEGORY_KERNEL] = "kernel",
	[CATEGORY_BLOCK] = "block",
	[CATEGORY_JOB] = "job",
	[CATEGORY_WAIT] = "wait",
	[CATEGORY_MARK] = "mark",
	[CATEGORY_CONTEXT] = "context",
	[CATEGORY_CALL] = "call",
	[CATEGORY_DECISION] = "decision",
};
static const char *const annotation_names[] = {
	[ANNOTATION_JOB] = "job",
	[ANNOTATION_SEGMENT] = "segment",
	[ANNOTATION_PART] = "part",
	[ANNOTATION_BLOCK] = "block",
	[ANNOTATION_THREADS] = "threads",
	[ANNOTATION_SMS] = "sms",
	[ANNOTATION_ENDED] = "ended",
	[ANNOTATION_STATE] = "state",
	[ANNOTATION_DEADLINE] = "deadline_ns",
	[ANNOTATION_NAME] = "segment_name",
};
static const char *const event_names[] = {[NAME_RELEASE] = "release",
	[NAME_DEADLINE] = "deadline",
	[NAME_MISS] = "MISS",
	[NAME_AGE] = "greatest age of a chain",
	[NAME_REACTION] = "longest reaction of a chain"};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static size_t open_packet(struct trace_export *t, uint64_t flags)
{
	size_t packet = protobuf_open(&t->out, TRACE_PACKET);
	protobuf_uint(&t->out, PACKET_SEQUENCE_ID, SEQUENCE_ID);
	protobuf_uint(&t->out, PACKET_SEQUENCE_FLAGS, flags);
	return packet;
}

static void intern(struct trace_export *t, uint32_t field, uint64_t iid, const char *name)
{
	size_t entry = protobuf_open(&t->out, field);
	protobuf_uint(&t->out, ENTRY_IID, iid);
	protobuf_string(&t->out, ENTRY_NAME, name);
	protobuf_close(&t->out, entry);
}

static void intern_all(struct trace_export *t, uint32_t field, const char *const *names, size_t count)
{
	for (size_t i = 1; i < count; i++)
		intern(t, field, i, names[i]);
}

void trace_begin(struct trace_export *t)
{
	size_t packet = open_packet(t, INCREMENTAL_STATE_CLEARED | NEEDS_INCREMENTAL_STATE);
	size_t interned = protobuf_open(&t->out, PACKET_INTERNED_DATA);
	intern_all(t, INTERNED_CATEGORIES, categories, COUNT_OF(categories));
	intern_all(t, INTERNED_EVENT_NAMES, event_names, COUNT_OF(event_names));
	intern_all(t, INTERNED_ANNOTATION_NAMES, annotation_names, COUNT_OF(annotation_names));
	protobuf_close(&t->out, interned);
	protobuf_close(&t->out, packet);
	t->last_name = NAME_FIRST_FREE - 1;
	t->root = trace_track(t, &(struct trace_track){.name = t->title, .parent_of_ranked = true});
}

uint64_t trace_track(struct trace_export *t, const struct trace_track *track)
{
	uint64_t uuid = ++t->last_uuid;
	size_t packet = open_packet(t, NEEDS_INCREMENTAL_STATE);
	size_t descriptor = protobuf_open(&t->out, PACKET_TRACK_DESCRIPTOR);
	protobuf_uint(&t->out, DESCRIPTOR_UUID, uuid);
	protobuf_string(&t->out, DESCRIPTOR_NAME, track->name);
	if (track->parent) {
		protobuf_uint(&t->out, DESCRIPTOR_PARENT, track->parent);
		protobuf_uint(&t->out, DESCRIPTOR_RANK, track->rank);
	}
	if (track->counter) {
		size_t counter = protobuf_open(&t->out, DESCRIPTOR_COUNTER);
		if (track->unit)
			protobuf_string(&t->out, COUNTER_UNIT_NAME, track->unit);
		protobuf_close(&t->out, counter);
	}
	if (track->parent_of_ranked)
		protobuf_uint(&t->out, DESCRIPTOR_CHILD_ORDERING, CHILD_ORDERING_EXPLICIT);
	protobuf_close(&t->out, descriptor);
	protobuf_close(&t->out, packet);
	t->summary->tracks++;
	return uuid;
}

static void open_event(struct trace_export *t, size_t *packet, int64_t at)
{
	*packet = open_packet(t, NEEDS_INCREMENTAL_STATE);
	protobuf_int(&t->out, PACKET_TIMESTAMP, at);
}

/* The number of a job's name; if it is not known, the name is sent with this packet. */
static uint64_t job_name(
	struct trace_export *t, struct trace_task *task, int64_t seq, enum trace_name_kind kind)
{
	static const char *const behind[] = {[NAME_PLAIN] = "",
		[NAME_SPIN] = " spin",
		[NAME_BOOST] = " boost",
		[NAME_LAUNCH] = " launch",
		[NAME_SWITCH] = " switch",
		[NAME_INTERRUPT] = " release",
		[NAME_CALL] = " call"};
	if (task->named[kind].seq == seq)
		return task->named[kind].iid;
	uint64_t iid = ++t->last_name;
	text_clear(&t->name);
	if (kind == NAME_CONTEXT || kind == NAME_TO_CONTEXT)
		text_printf(&t->name, "%s%s", kind == NAME_CONTEXT ? "" : "to ", task->name);
	else
		text_printf(&t->name, "%s #%lld%s", task->name, (long long)seq, behind[kind]);
	t->out.failed = t->out.failed || t->name.failed;
	size_t interned = protobuf_open(&t->out, PACKET_INTERNED_DATA);
	intern(t, INTERNED_EVENT_NAMES, iid, text_data(&t->name));
	protobuf_close(&t->out, interned);
	task->named[kind].seq = seq;
	task->named[kind].iid = iid;
	return iid;
}

/* Small numbers take fewer bytes than task and job together in one word. */
static uint64_t correlation(const struct trace_export *t, const struct trace_task *task, int64_t seq)
{
	return (uint64_t)seq * t->task_count + task->index + 1;
}

static void annotate(struct trace_export *t, const struct trace_annotation *a)
{
	size_t annotation = protobuf_open(&t->out, EVENT_ANNOTATIONS);
	protobuf_uint(&t->out, ANNOTATION_NAME_IID, a->name);
	if (a->text)
		protobuf_string(&t->out, ANNOTATION_STRING, a->text);
	else
		protobuf_int(&t->out, ANNOTATION_INT, a->value);
	protobuf_close(&t->out, annotation);
}

void trace_slice(struct trace_export *t, const struct trace_slice *s)
{
	size_t packet;
	open_event(t, &packet, s->start);
	uint64_t name = job_name(t, s->task, s->seq, s->kind);
	size_t event = protobuf_open(&t->out, PACKET_TRACK_EVENT);
	protobuf_uint(&t->out, EVENT_TYPE, TYPE_BEGIN);
	protobuf_uint(&t->out, EVENT_TRACK, s->track);
	protobuf_uint(&t->out, EVENT_NAME_IID, name);
	protobuf_uint(&t->out, EVENT_CATEGORY_IIDS, s->category);
	protobuf_uint(&t->out, EVENT_CORRELATION_ID, correlation(t, s->task, s->seq));
	if (s->flow_in)
		protobuf_fixed64(&t->out, EVENT_TERMINATING_FLOW_IDS, s->flow_in);
	if (s->flow_out)
		protobuf_fixed64(&t->out, EVENT_FLOW_IDS, s->flow_out);
	for (size_t i = 0; i < s->annotation_count; i++)
		annotate(t, &s->annotations[i]);
	protobuf_close(&t->out, event);
	protobuf_close(&t->out, packet);
	open_event(t, &packet, s->end);
	event = protobuf_open(&t->out, PACKET_TRACK_EVENT);
	protobuf_uint(&t->out, EVENT_TYPE, TYPE_END);
	protobuf_uint(&t->out, EVENT_TRACK, s->track);
	protobuf_close(&t->out, event);
	protobuf_close(&t->out, packet);
	t->summary->slices++;
}

void trace_instant(struct trace_export *t, uint64_t track, int64_t at, enum trace_event_name name,
	struct trace_task *task, int64_t seq)
{
	size_t packet;
	open_event(t, &packet, at);
	size_t event = protobuf_open(&t->out, PACKET_TRACK_EVENT);
	protobuf_uint(&t->out, EVENT_TYPE, TYPE_INSTANT);
	protobuf_uint(&t->out, EVENT_TRACK, track);
	protobuf_uint(&t->out, EVENT_NAME_IID, name);
	protobuf_uint(&t->out, EVENT_CATEGORY_IIDS, CATEGORY_MARK);
	protobuf_uint(&t->out, EVENT_CORRELATION_ID, correlation(t, task, seq));
	annotate(t, &(struct trace_annotation){ANNOTATION_JOB, seq, NULL});
	protobuf_close(&t->out, event);
	protobuf_close(&t->out, packet);
}

static size_t open_counter(struct trace_export *t, size_t *packet, uint64_t track, int64_t at)
{
	open_event(t, packet, at);
	size_t event = protobuf_open(&t->out, PACKET_TRACK_EVENT);
	protobuf_uint(&t->out, EVENT_TYPE, TYPE_COUNTER);
	protobuf_uint(&t->out, EVENT_TRACK, track);
	return event;
}

void trace_count(struct trace_export *t, uint64_t track, int64_t at, int64_t value)
{
	size_t packet, event = open_counter(t, &packet, track, at);
	protobuf_int(&t->out, EVENT_COUNTER_VALUE, value);
	protobuf_close(&t->out, event);
	protobuf_close(&t->out, packet);
}

void trace_measure(struct trace_export *t, uint64_t track, int64_t at, double value)
{
	size_t packet, event = open_counter(t, &packet, track, at);
	protobuf_double(&t->out, EVENT_COUNTER_DOUBLE, value);
	protobuf_close(&t->out, event);
	protobuf_close(&t->out, packet);
}

bool trace_flush_out(struct trace_export *t, struct error *err)
{
	if (t->request->stop && *t->request->stop)
		return error_set(err, STATUS_INTERRUPTED, "interrupted; nothing was written");
	if (!protobuf_ok(&t->out, "writing a trace", err))
		return false;
	if (fwrite(t->out.data, 1, t->out.length, t->file.file) != t->out.length)
		return error_set(err, STATUS_IO, "cannot write %s: %s", t->file.part, strerror(errno));
	t->summary->bytes += t->out.length;
	protobuf_clear(&t->out);
	return true;
}

/* ---- lanes ---- */

struct trace_lane *trace_lane(struct trace_export *t, struct trace_lanes *lanes, size_t index,
	const struct trace_track *like, struct error *err)
{
	assert(index <= lanes->count);
	if (index == lanes->count) {
		struct trace_lane *more =
			list_room(lanes->lanes, index, sizeof(*more), "the tracks of a trace", err);
		if (!more)
			return NULL;
		more[index] = (struct trace_lane){0};
		lanes->lanes = more;
		lanes->count++;
	}
	struct trace_lane *lane = &lanes->lanes[index];
	if (!lane->uuid)
		lane->uuid = trace_track(t, like);
	return lane;
}

void trace_lanes_finish(struct trace_lanes *lanes)
{
	free(lanes->lanes);
	*lanes = (struct trace_lanes){0};
}

bool trace_put(struct trace_export *t, struct trace_lane *lane, struct trace_slice *slice, const char *what,
	struct error *err)
{
	if (slice->start < lane->busy_until || slice->end < slice->start)
		return error_set(err, STATUS_INPUT,
			"%s: run %lld: %s has an interval from %lld to %lld ns that overlaps another or ends "
			"before it begins (cegsim audit says more)",
			t->recording, (long long)t->run, what, (long long)slice->start,
			(long long)slice->end);
	lane->busy_until = slice->end;
	slice->track = lane->uuid;
	trace_slice(t, slice);
	return true;
}
