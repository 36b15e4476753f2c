/* runs/event_loop.c - see runs/event_loop.h. */
#include "runs/event_loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/say.h"

#define TICK_SECONDS 0.1

/* libev aborts where it lacks memory or a descriptor. */
_Noreturn static void quit(const char *what)
{
	say(stderr, "cegsim: error: %s: %s\n", what, strerror(errno));
	interrupt_quit(STATUS_IO);
}

static void no_descriptor(const char *what)
{
	(void)what;
	quit("no event loop");
}

static void *allocate(void *memory, long size)
{
	if (size == 0) {
		free(memory);
		return NULL;
	}
	void *larger = realloc(memory, (size_t)size);
	if (!larger)
		quit("running the event loop");
	return larger;
}

/* In the handler of a signal. */
static void wake(void *self)
{
	struct event_loop *l = self;
	ev_async_send(l->ev, &l->signal);
}

static void on_signal(struct ev_loop *ev, ev_async *signal, int revents)
{
	struct event_loop *l = signal->data;
	(void)ev;
	(void)revents;
	for (; l->seen < interrupt_came; l->seen++)
		l->interrupted(l->self);
}

static void on_tick(struct ev_loop *ev, ev_timer *timer, int revents)
{
	const struct event_loop *l = timer->data;
	(void)ev;
	(void)revents;
	l->tick(l->self);
}

static void on_idle(struct ev_loop *ev, ev_idle *idle, int revents)
{
	const struct event_loop *l = idle->data;
	(void)ev;
	(void)revents;
	l->slice(l->self);
}

bool event_loop_open(struct event_loop *l, struct error *err)
{
	ev_set_syserr_cb(no_descriptor);
	ev_set_allocator(allocate);
	l->ev = ev_default_loop(0);
	if (!l->ev)
		return error_set(err, STATUS_IO, "no event loop: libev finds no way to wait on this system");
	ev_now_update(l->ev);
	ev_async_init(&l->signal, on_signal);
	ev_timer_init(&l->timer, on_tick, TICK_SECONDS, TICK_SECONDS);
	ev_idle_init(&l->idle, on_idle);
	l->signal.data = l->timer.data = l->idle.data = l;
	ev_async_start(l->ev, &l->signal);
	l->seen = 0;
	interrupt_wake(wake, l);
	l->noted = interrupt_note(true);
	if (interrupt_came > 0)
		wake(l);
	if (l->tick)
		ev_timer_start(l->ev, &l->timer);
	if (l->slice)
		ev_idle_start(l->ev, &l->idle);
	return true;
}

void event_loop_close(struct event_loop *l)
{
	if (!l->ev)
		return;
	interrupt_wake(NULL, NULL);
	interrupt_note(l->noted);
	ev_async_stop(l->ev, &l->signal);
	ev_timer_stop(l->ev, &l->timer);
	ev_idle_stop(l->ev, &l->idle);
}
