/* cli/calibrate_plot.c - see cli/calibrate_plot.h. Charts are drawn of the rows of a query (report/charts/);
 * here it has them in its text. */
#include "cli/calibrate_plot.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/figures.h"
#include "report/script.h"
#include "scenarios/calibration/forms.h"

#define MILLION 1000000
#define US 1000.0

struct figure_rows {
	const struct calibration *c;
	struct text sql;
	uint32_t count;
};

static const char *name_of(const struct figure_rows *r, uint32_t kernel)
{
	return calibration_spec(r->c)->set->tasks[kernel].name;
}

/* ---- times over SMs ---- */

static void add_time(struct figure_rows *r, uint32_t kernel, const char *series, uint32_t sms, double us,
	const struct spread *band)
{
	text_add(&r->sql, r->count++ ? ",\n(" : "\n(");
	text_add_sql(&r->sql, name_of(r, kernel));
	text_printf(&r->sql, ", '%s', %" PRIu32 ", %.17g, ", series, sms, us);
	if (band)
		text_printf(
			&r->sql, "%.17g, %.17g, 0)", (double)band->least / US, (double)band->greatest / US);
	else
		text_add(&r->sql, "NULL, NULL, 1)");
}

/* GW and GL: the least with which Lemma 5.1 is never below what was measured alone, where nothing is
 * interleaved. */
static bool fit_alone(const struct figure_rows *r, uint32_t kernel, struct work_form *form, struct error *err)
{
	const struct calibration_spec *s = calibration_spec(r->c);
	struct work_point points[PLATFORM_MAX_SMS];
	for (uint32_t i = 0; i < s->points; i++) {
		const struct spread *alone = &calibration_point(r->c, kernel, i)->alone;
		points[i] = (struct work_point){s->sms[i], false, alone->least, alone->greatest};
	}
	return work_fit(points, s->points, MILLION, form, err);
}

static bool add_times(struct figure_rows *r, uint32_t kernel, struct error *err)
{
	const struct calibration_spec *s = calibration_spec(r->c);
	struct work_form form;
	if (!fit_alone(r, kernel, &form, err))
		return false;
	double work = (double)form.worst_ns, overhead = (double)form.overhead_ns, serial = overhead / work;
	for (uint32_t i = 0; i < s->points; i++) {
		const struct spread *alone = &calibration_point(r->c, kernel, i)->alone;
		add_time(r, kernel, "measured", s->sms[i], spread_mean(alone) / US, alone);
	}
	for (uint32_t i = 0; i < s->points; i++)
		add_time(r, kernel, "Lemma 5.1", s->sms[i], ((work - overhead) / s->sms[i] + overhead) / US,
			NULL);
	for (uint32_t i = 0; i < s->points; i++)
		add_time(
			r, kernel, "Eq. 3", s->sms[i], work / (serial + (1 - serial) * s->sms[i]) / US, NULL);
	return true;
}

/* ---- ratios ---- */

/* One bar; nothing if it was not measured. `sms`: 0 for no panels by SMs. */
static void add_bar(struct figure_rows *r, const char *group, const char *series, uint32_t sms,
	const struct spread *ratio)
{
	if (ratio->count == 0)
		return;
	text_add(&r->sql, r->count++ ? ",\n(" : "\n(");
	if (sms > 0)
		text_printf(&r->sql, "'on %" PRIu32 " SM%s', ", sms, sms == 1 ? "" : "s");
	else
		text_add(&r->sql, "NULL, ");
	text_add_sql(&r->sql, series);
	text_add(&r->sql, ", ");
	text_add_sql(&r->sql, group);
	text_printf(&r->sql, ", %.17g, %.17g, %.17g)", spread_mean(ratio) / MILLION,
		(double)ratio->least / MILLION, (double)ratio->greatest / MILLION);
}

static void add_beside(struct figure_rows *r)
{
	const struct calibration_spec *s = calibration_spec(r->c);
	for (uint32_t i = 0; i < s->points; i++)
		for (uint32_t kernel = 0; kernel < s->set->task_count; kernel++)
			for (uint32_t other = 0; other < s->set->task_count; other++)
				add_bar(r, name_of(r, other), name_of(r, kernel), s->sms[i],
					&calibration_pair(r->c, kernel, other, i)->ratio);
}

static void add_split(struct figure_rows *r)
{
	const struct calibration_spec *s = calibration_spec(r->c);
	char series[24];
	for (uint32_t i = 0; i < s->points; i++)
		for (uint32_t kernel = 0; kernel < s->set->task_count; kernel++) {
			snprintf(series, sizeof(series), "%" PRIu32 " SM%s", s->sms[i],
				s->sms[i] == 1 ? "" : "s");
			add_bar(r, name_of(r, kernel), series, 0, &calibration_point(r->c, kernel, i)->split);
		}
}

/* ---- drawing ---- */

static const struct {
	const char *title, *columns;
	struct chart_style style;
} figures[] = {
	[CALIBRATED_TIMES] = {"Kernels alone on more and more SMs",
		"column1 AS panel, column2 AS series, column3 AS x, column4 AS y, column5 AS low,"
		" column6 AS high, column7 AS dashed",
		{.kind = CHART_CURVES, .x = "SMs", .y = "time (us)", .x_log = true, .y_log = true}},
	[CALIBRATED_BESIDE] = {"Kernels beside others on the same SMs",
		"column1 AS panel, column2 AS series, column3 AS \"group\", column4 AS y, column5 AS low,"
		" column6 AS high",
		{.kind = CHART_BARS, .x = "beside", .y = "interleave ratio", .line = "1", .columns = 1}},
	[CALIBRATED_SPLIT] = {"Twice the time alone over that on a half of each SM",
		"column2 AS series, column3 AS \"group\", column4 AS y, column5 AS low, column6 AS high",
		{.kind = CHART_BARS, .x = "kernel", .y = "split ratio", .line = "1"}},
};

static bool add_rows(struct figure_rows *r, enum calibrated_figure figure, struct error *err)
{
	text_printf(&r->sql, "SELECT %s FROM (VALUES ", figures[figure].columns);
	for (uint32_t k = 0; figure == CALIBRATED_TIMES && k < calibration_spec(r->c)->set->task_count; k++)
		if (!add_times(r, k, err))
			return false;
	if (figure == CALIBRATED_BESIDE)
		add_beside(r);
	else if (figure == CALIBRATED_SPLIT)
		add_split(r);
	text_add(&r->sql, ")");
	if (r->count == 0)
		return error_set(err, STATUS_INPUT,
			"no block of a kernel fits a half of an SM: no ratio was measured");
	return text_ok(&r->sql, "drawing a figure", err);
}

static bool draw(const char *sql, const struct calibrated_plot *plot, struct error *err)
{
	struct figure_call call = {.reader = reader_open_empty(err)};
	struct script script = {.title = figures[plot->figure].title};
	struct text body = {0};
	bool ok = call.reader && script_format_find(plot->file, &script.format, err) &&
		  figure_of_sql(&call, sql, &figures[plot->figure].style, &body, &script.width,
			  &script.height, err) &&
		  text_ok(&body, "drawing a figure", err);
	script.body = text_data(&body);
	ok = ok && (!plot->script || script_save(&script, plot->file, plot->script, plot->replace, err)) &&
	     script_draw(&script, plot->file, plot->replace, err);
	text_finish(&body);
	reader_close(call.reader);
	return ok;
}

bool calibrate_plot(const struct calibration *c, const struct calibrated_plot *plot, struct error *err)
{
	struct figure_rows r = {.c = c};
	bool ok = add_rows(&r, plot->figure, err) && draw(text_data(&r.sql), plot, err);
	text_finish(&r.sql);
	return ok;
}
