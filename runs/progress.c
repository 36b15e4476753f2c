/* runs/progress.c - see runs/progress.h. */
#include "runs/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define SILENT_SECONDS 1.0
#define TERMINAL_SECONDS 0.1
#define PLAIN_SECONDS 5.0
#define BAR 30

void progress_init(struct progress *p, const char *noun, bool quiet, double now)
{
	*p = (struct progress){
		.noun = noun,
		.quiet = quiet,
		.terminal = isatty(STDERR_FILENO),
		.started = now,
		.last_drawn = now,
	};
}

static void draw(const struct progress *p, double elapsed, uint64_t done, uint64_t total, double fraction,
	uint64_t events)
{
	static const char marks[] = "##############################";
	int eta = fraction > 0.001 ? (int)(elapsed * (1 - fraction) / fraction + 0.5) : -1;
	int filled = (int)(fraction * BAR);
	if (p->terminal)
		fprintf(stderr, "\r\033[K[%.*s%*s] ", filled, marks, BAR - filled, "");
	else
		fputs("cegsim: ", stderr);
	fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s", done, total, p->noun);
	if (p->rate)
		fprintf(stderr, ", %.4g/s", (double)(done - p->before) / elapsed);
	if (events > 0)
		fprintf(stderr, ", %.1f M events/s", (double)events / elapsed * 1e-6);
	if (eta >= 0)
		fprintf(stderr, ", %d:%02d:%02d left", eta / 3600, eta / 60 % 60, eta % 60);
	if (!p->terminal)
		fputc('\n', stderr);
	fflush(stderr);
}

void progress_update(
	struct progress *p, double now, uint64_t done, uint64_t total, double fraction, uint64_t events)
{
	double every = p->terminal ? TERMINAL_SECONDS : PLAIN_SECONDS;
	if (p->quiet || now - p->started < SILENT_SECONDS || now - p->last_drawn < every)
		return;
	p->last_drawn = now;
	p->drawn = true;
	draw(p, now - p->started, done, total, fraction, events);
}

void progress_clear(struct progress *p)
{
	if (p->drawn && p->terminal) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	p->drawn = false;
}
