/* runs/event_loop.c - see runs/event_loop.h. */
#include "runs/event_loop.h"

#include <signal.h>

#define TICK_SECONDS 0.1

static void on_signal(struct ev_loop *ev, ev_signal *signal, int revents)
{
	const struct event_loop *l = signal->data;
	(void)ev;
	(void)revents;
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
	l->ev = ev_default_loop(0);
	if (!l->ev)
		return error_set(err, STATUS_IO, "no event loop: libev finds no way to wait on this system");
	ev_now_update(l->ev);
	ev_signal_init(&l->interrupt, on_signal, SIGINT);
	ev_signal_init(&l->terminate, on_signal, SIGTERM);
	ev_timer_init(&l->timer, on_tick, TICK_SECONDS, TICK_SECONDS);
	ev_idle_init(&l->idle, on_idle);
	l->interrupt.data = l->terminate.data = l->timer.data = l->idle.data = l;
	ev_signal_start(l->ev, &l->interrupt);
	ev_signal_start(l->ev, &l->terminate);
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
	ev_signal_stop(l->ev, &l->interrupt);
	ev_signal_stop(l->ev, &l->terminate);
	ev_timer_stop(l->ev, &l->timer);
	ev_idle_stop(l->ev, &l->idle);
}
