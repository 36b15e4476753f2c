/* report/gantt/read.c - reads a run's intervals in the window: one by one, or added up in bins if there are
 * too many. */
#include <stdint.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/words.h"
#include "db/words.h"
#include "report/gantt/private.h"

#define BINS_MOST 600
#define BINS_LEAST 100
#define SMS_APART 16        /* most lanes of SMs if they are added up */
#define BINS_OF_LANES 24000 /* lanes times bins, about */

void gantt_chart_finish(struct gantt_chart *c)
{
	for (size_t i = 0; i < c->tasks; i++)
		free(c->task[i].name);
	for (size_t i = 0; i < c->names; i++)
		free(c->name[i].text);
	free(c->name);
	free(c->task);
	free(c->member);
	free(c->task_top);
	free(c->job);
	gantt_power_finish(c);
	free(c->shown);
	free(c->top);
	free(c->measured_top);
	free(c->first_bar);
	free(c->title);
	free(c->platform);
	gantt_bars_finish(&c->bars);
	gantt_bars_finish(&c->measured);
	gantt_bars_finish(&c->job_bars);
	gantt_ways_finish(c);
	lanes_finish(&c->lanes);
	*c = (struct gantt_chart){0};
}

/* ---- intervals ---- */

/* The data on their way into a chart: bars or, once there are too many, sums. */
struct gantt_intake {
	struct gantt_chart *chart;
	struct gantt_bars bars;
	struct detail detail;
	bool blocks;  /* whether it reads blocks */
	size_t limit; /* of bars */
	bool summed;
};

static size_t bins_of(const struct gantt_chart *c)
{
	size_t shown = 0;
	for (size_t i = 0; i < c->lanes.count; i++)
		shown += c->shown[i];
	size_t bins = BINS_OF_LANES / (shown ? shown : 1);
	return bins < BINS_LEAST ? BINS_LEAST : bins > BINS_MOST ? BINS_MOST : bins;
}

size_t gantt_sms_of(const struct gantt_chart *c, size_t lane)
{
	size_t gpu = lane_gpu(&c->lanes.lane[lane]);
	size_t rest = c->lanes.of_gpu[gpu].first_sm + c->lanes.of_gpu[gpu].sms - lane;
	return rest < c->sms_in_lane ? rest : c->sms_in_lane;
}

/* The lane in which the intervals of a lane are shown. */
static size_t shown_lane(const struct gantt_chart *c, size_t lane)
{
	if (lane < c->lanes.first_sm || lane >= c->lanes.first_sm + c->lanes.sms)
		return lane;
	size_t first = c->lanes.of_gpu[lane_gpu(&c->lanes.lane[lane])].first_sm;
	return lane - (lane - first) % c->sms_in_lane;
}

static bool sum_up(struct gantt_intake *in, const struct gantt_bar *bar, struct error *err)
{
	return detail_add(&in->detail, shown_lane(in->chart, bar->lane), bar->task,
		bar->start - in->chart->from, bar->end - in->chart->from, bar->high - bar->low, err);
}

/* If there are many SMs, several of a GPU share a lane, unless the user chose SMs. */
static void group_sms(struct gantt_chart *c)
{
	size_t first = c->lanes.first_sm;
	if (c->lanes.sms <= SMS_APART || c->sms_chosen)
		return;
	c->sms_in_lane = (c->lanes.sms + SMS_APART - 1) / SMS_APART;
	for (size_t i = 0; i < c->lanes.sms; i++)
		c->shown[first + i] = shown_lane(c, first + i) == first + i;
}

static bool begin_sums(struct gantt_intake *in, struct error *err)
{
	struct gantt_chart *c = in->chart;
	if (in->blocks)
		group_sms(c);
	int64_t window = c->to - c->from, bins = (int64_t)bins_of(c);
	int64_t bin_ns = ceil_div(window, window < bins ? window : bins);
	if (!detail_begin(
		    &in->detail, c->lanes.count, c->tasks, (size_t)ceil_div(window, bin_ns), bin_ns, err))
		return false;
	in->summed = true;
	for (size_t i = 0; i < in->bars.count; i++)
		if (!sum_up(in, &in->bars.bar[i], err))
			return false;
	gantt_bars_finish(&in->bars);
	return true;
}

static bool take_bar(struct gantt_intake *in, struct gantt_bar *bar, struct error *err)
{
	const struct gantt_chart *c = in->chart;
	bar->start = bar->start > c->from ? bar->start : c->from;
	bar->end = bar->end < c->to ? bar->end : c->to;
	if (bar->start >= bar->end || bar->lane == LANE_NONE || !c->shown[shown_lane(c, bar->lane)])
		return true;
	if (in->summed)
		return sum_up(in, bar, err);
	return gantt_bars_add(&in->bars, bar, err) && (in->bars.count <= in->limit || begin_sums(in, err));
}

/* Turns sums into bars of tasks on top of each other. The height of the lane becomes a multiple of its
 * capacity, as large as needed. */
static bool lane_of_sums(struct gantt_intake *in, size_t lane, struct detail_entries *e, struct error *err)
{
	struct gantt_chart *c = in->chart;
	int64_t low = 0, capacity = c->lanes.lane[lane].capacity;
	if (c->lanes.lane[lane].kind == LANE_SM)
		capacity *= (int64_t)gantt_sms_of(c, lane);
	if (!detail_entries(&in->detail, lane, 1, capacity, e, err))
		return false;
	size_t base = in->bars.count;
	if (e->count == 0) /* also for a lane whose intervals are drawn one by one */
		return true;
	c->top[lane] = DETAIL_FULL;
	for (size_t i = 0; i < e->count; i++) {
		low = i > 0 && e->bin[i] == e->bin[i - 1] ? low : 0;
		int64_t start = c->from + e->bin[i] * in->detail.bin_ns, end = start + in->detail.bin_ns;
		struct gantt_bar bar = {
			.start = start,
			.end = end < c->to ? end : c->to,
			.low = low,
			.high = low + e->share[i],
			.seq = GANTT_NO_JOB,
			.lane = lane,
			.task = e->task[i],
		};
		low = bar.high;
		while (low > c->top[lane] + (int64_t)c->tasks) /* rounding, in full lanes */
			c->top[lane] += DETAIL_FULL;
		struct gantt_bar *before = in->bars.count > base ? &in->bars.bar[in->bars.count - 1] : NULL;
		if (before && before->end == bar.start && before->task == bar.task &&
			before->low == bar.low && before->high == bar.high)
			before->end = bar.end;
		else if (!gantt_bars_add(&in->bars, &bar, err))
			return false;
	}
	return true;
}

static bool end_sums(struct gantt_intake *in, struct error *err)
{
	struct detail_entries entries = {0};
	bool ok = true;
	for (size_t lane = 0; ok && lane < in->chart->lanes.count; lane++)
		if (in->chart->shown[lane])
			ok = lane_of_sums(in, lane, &entries, err);
	detail_entries_finish(&entries);
	return ok;
}

/* Moves the data that were read into the chart. */
static bool deliver(struct gantt_intake *in, bool *summed, struct error *err)
{
	bool ok = true;
	*summed = in->summed;
	if (in->summed)
		ok = end_sums(in, err);
	else
		ok = gantt_place(&in->bars, in->chart->top, in->chart->top, err);
	for (size_t i = 0; ok && i < in->bars.count; i++)
		ok = gantt_bars_add(&in->chart->bars, &in->bars.bar[i], err);
	gantt_bars_finish(&in->bars);
	detail_finish(&in->detail);
	return ok;
}

static bool take_segment(struct gantt_intake *in, const struct db_cursor *row, struct error *err)
{
	static const uint8_t kinds[] = {GANTT_RUN, GANTT_SPIN, GANTT_BOOST, GANTT_OVERHEAD};
	static const uint8_t directions[] = {GANTT_TO_GPU, GANTT_TO_CPU, GANTT_BOTH_WAYS};
	const struct gantt_chart *c = in->chart;
	int direction = word_find(words_direction, cursor_text(row, 7)); /* -1: NULL, no copy */
	int64_t code = cursor_integer(row, 3);
	struct gantt_bar bar = {
		.seq = cursor_integer(row, 1),
		.segment = (uint32_t)cursor_integer(row, 2),
		.high = 1,
		.start = cursor_integer(row, 5),
		.end = cursor_integer(row, 6),
		.kind = kinds[(code >> 2) & 3],
		.lane = lanes_of_segment(&c->lanes, cursor_integer(row, 8), code, cursor_integer(row, 4)),
	};
	if (direction >= 0 && (code & 3) == 1)
		bar.direction = directions[direction];
	if (!gantt_find_bar(c, cursor_integer(row, 0), &bar))
		return true;
	struct gantt_bar again = bar;
	again.lane = (code & 12) != 0 || (code & 3) == 0 || cursor_kind(row, 9) == VALUE_NULL
			     ? LANE_NONE
			     : lanes_of_stream(&c->lanes, cursor_integer(row, 8), cursor_integer(row, 9));
	return take_bar(in, &bar, err) && (again.lane == LANE_NONE || take_bar(in, &again, err));
}

/* Blocks without a number of threads (of kernels divisible by SMs) have a virtual SM each. */
static bool take_block(struct gantt_intake *in, const struct db_cursor *row, struct error *err)
{
	const struct gantt_chart *c = in->chart;
	int64_t threads = cursor_integer(row, 5);
	struct gantt_bar bar = {
		.seq = cursor_integer(row, 1),
		.segment = (uint32_t)cursor_integer(row, 2),
		.block = cursor_integer(row, 3),
		.start = cursor_integer(row, 6),
		.end = cursor_integer(row, 7),
		.lane = lanes_of_block(&c->lanes, cursor_integer(row, 8),
			cursor_kind(row, 4) == VALUE_NULL ? -1 : cursor_integer(row, 4)),
	};
	if (threads <= 0 && bar.lane != LANE_NONE) {
		threads = c->lanes.lane[bar.lane].capacity / c->virtual_sms;
		threads = threads > 0 ? threads : 1;
	}
	bar.high = threads;
	return !gantt_find_bar(c, cursor_integer(row, 0), &bar) || take_bar(in, &bar, err);
}

/* A process is drawn as its first task; without labels, as it is no job. */
static bool take_context(struct gantt_intake *in, const struct db_cursor *row, struct error *err)
{
	const struct gantt_chart *c = in->chart;
	struct gantt_bar bar = {
		.seq = GANTT_NO_JOB,
		.high = 1,
		.start = cursor_integer(row, 1),
		.end = cursor_integer(row, 2),
		.lane = c->lanes.context,
	};
	bool drawn = gantt_find_bar(c, cursor_integer(row, 0), &bar);
	bar.seq = GANTT_NO_JOB;
	return !drawn || take_bar(in, &bar, err);
}

typedef bool take_row(struct gantt_intake *in, const struct db_cursor *row, struct error *err);

static bool read_rows(struct db_reader *r, struct gantt_chart *c, const char *sql, const int64_t span[2],
	take_row *take, bool *summed, struct error *err)
{
	int64_t values[] = {span[0], span[1], c->from, c->to, c->run_id};
	struct gantt_intake in = {
		.chart = c,
		.blocks = take == take_block,
		.limit = c->blocks_summed ? GANTT_WHOLE : GANTT_EXACT,
	};
	struct db_cursor *rows = gantt_query(r, sql, values, 5, err);
	bool row = true, ok = rows != NULL;
	while (ok && row) {
		ok = cursor_next(rows, &row, err);
		if (ok && row)
			ok = take(&in, rows, err);
	}
	cursor_close(rows);
	ok = ok && deliver(&in, summed, err);
	gantt_bars_finish(&in.bars);
	detail_finish(&in.detail);
	return ok;
}

/* There are few directions: they are looked up only for rows that are kept. */
static const char segments_sql[] =
	"SELECT i.task_id, i.seq, i.segment_idx, i.code, i.unit, i.start_ns, i.end_ns, (SELECT s.direction "
	"FROM segment s"
	" WHERE s.task_id = i.task_id AND s.segment_idx = i.segment_idx), i.gpu,"
	" (SELECT CASE s.stream WHEN -1 THEN t.task_idx ELSE s.stream END"
	" FROM segment s JOIN task t USING (task_id)"
	" WHERE s.task_id = i.task_id AND s.segment_idx = i.segment_idx) FROM segment_interval i"
	" WHERE i.rowid BETWEEN ?1 AND ?2 AND i.end_ns > ?3 AND i.start_ns < ?4 AND i.run_id = ?5";
static const char blocks_sql[] =
	"SELECT task_id, seq, segment_idx, block, sm, threads, start_ns, end_ns, gpu FROM block_interval"
	" WHERE rowid BETWEEN ?1 AND ?2 AND end_ns > ?3 AND start_ns < ?4 AND run_id = ?5";

static const char contexts_sql[] =
	"SELECT process_task_id, start_ns, end_ns FROM context_interval WHERE ?1 <= ?2 AND end_ns > ?3"
	" AND start_ns < ?4 AND run_id = ?5 AND code = 0"; /* switches are gaps */

/* Shows CPU, copy engines and GPU if the tasks use them. */
static bool find_lanes(
	struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err)
{
	bool row = false;
	struct db_cursor *used = NULL;
	if (!lanes_read(r, c->run_id, &c->lanes, err))
		return false;
	c->shown = calloc(c->lanes.count + 1, sizeof(*c->shown));
	c->top = calloc(c->lanes.count + 1, sizeof(*c->top));
	if (!c->shown || !c->top)
		return error_memory(err, "drawing a schedule");
	used = gantt_query(r,
		"SELECT coalesce(sum(s.kind = 'cpu'), 0), coalesce(sum(s.kind = 'copy'), 0),"
		" coalesce(sum(s.kind = 'kernel'), 1) FROM segment s"
		" JOIN task t USING (task_id) WHERE t.taskset_id = ?1",
		&c->taskset_id, 1, err);
	bool ok = used && cursor_next(used, &row, err);
	for (size_t i = 0; ok && i < c->lanes.count; i++) {
		enum lane_kind kind = c->lanes.lane[i].kind;
		c->shown[i] = kind == LANE_CPU      ? cursor_integer(used, 0) > 0
			      : kind == LANE_COPY   ? cursor_integer(used, 1) > 0
			      : kind == LANE_STREAM ? ask->streams
						    : kind == LANE_CONTEXT;
		c->top[i] = c->lanes.lane[i].capacity;
	}
	bool kernels = ok && cursor_integer(used, 2) > 0;
	cursor_close(used);
	return ok && gantt_choose_lanes(ask, c, kernels, err);
}

/* Makes the same height mean the same number of threads on every SM. */
static void level_sms(struct gantt_chart *c)
{
	int64_t top = 0;
	for (size_t i = c->lanes.first_sm; i < c->lanes.first_sm + c->lanes.sms; i++)
		top = c->top[i] > top ? c->top[i] : top;
	for (size_t i = c->lanes.first_sm; i < c->lanes.first_sm + c->lanes.sms; i++)
		c->top[i] = top;
}

/* Bars are drawn task by task; the order within a task does not change. */
static bool sort_by_task(struct gantt_chart *c, struct error *err)
{
	struct gantt_bar *sorted = calloc(c->bars.count + 1, sizeof(*sorted));
	c->first_bar = calloc(c->tasks + 2, sizeof(*c->first_bar));
	if (!sorted || !c->first_bar) {
		free(sorted);
		return error_memory(err, "drawing a schedule");
	}
	for (size_t i = 0; i < c->bars.count; i++)
		c->first_bar[c->bars.bar[i].task + 2]++;
	for (size_t task = 1; task <= c->tasks; task++)
		c->first_bar[task + 1] += c->first_bar[task];
	for (size_t i = 0; i < c->bars.count; i++)
		sorted[c->first_bar[c->bars.bar[i].task + 1]++] = c->bars.bar[i];
	free(c->bars.bar);
	c->bars.bar = sorted;
	return true;
}

bool gantt_read(struct db_reader *r, const struct gantt_ask *ask, struct gantt_chart *c, struct error *err)
{
	int64_t segments[] = {c->first_segment, c->last_segment}, blocks[] = {c->first_block, c->last_block};
	static const int64_t any[] = {0, 0};
	bool summed = false;
	bool ok = find_lanes(r, ask, c, err) && gantt_read_tasks(r, c, err) &&
		  gantt_check_task(ask, c, err) && gantt_read_jobs(r, c, err) &&
		  read_rows(r, c, blocks_sql, blocks, take_block, &c->blocks_summed, err) &&
		  read_rows(r, c, segments_sql, segments, take_segment, &c->segments_summed, err) &&
		  (c->lanes.context == LANE_NONE ||
			  read_rows(r, c, contexts_sql, any, take_context, &summed, err)) &&
		  sort_by_task(c, err) && gantt_read_measured(r, ask, c, err) &&
		  (!ask->power || gantt_read_power(r, c, err));
	if (ok)
		level_sms(c);
	return ok;
}
