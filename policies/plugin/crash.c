/* policies/plugin/crash.c - see policies/plugin/crash.h. The signal handler calls only what is allowed in
 * one: it looks up the stack frames in a table that was made when the plug-ins were loaded, and builds the
 * line without printf(). */
#include "policies/plugin/crash.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"

#define KNOWN_MAX 64
#define FRAMES 64
#define STACK_BYTES 65536

static struct {
	uintptr_t base, begin, end; /* code: [begin, end) */
	const char *file;
} known[KNOWN_MAX];
static volatile sig_atomic_t known_count;
static pid_t watched;
/* An alternate stack: a plug-in may have used up the normal one. */
static char stack[STACK_BYTES];

static const struct {
	int number;
	const char *meaning;
} signals[] = {
	{SIGSEGV, "segmentation fault"},
	{SIGBUS, "bus error"},
	{SIGFPE, "arithmetic error"},
	{SIGILL, "illegal instruction"},
	{SIGABRT, "abort"},
};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* ---- the line ---- */

struct crash_line {
	char text[1024];
	size_t length;
};

static void add(struct crash_line *l, const char *text)
{
	while (*text && l->length < sizeof(l->text))
		l->text[l->length++] = *text++;
}

static void add_hex(struct crash_line *l, uintptr_t value)
{
	char digits[2 * sizeof(value) + 3], *d = digits + sizeof(digits) - 1;
	*d = '\0';
	do
		*--d = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	*--d = 'x';
	*--d = '0';
	add(l, d);
}

/* ---- the handler ---- */

/* The plug-in that this is code of; -1: of none. */
static int owner_of(uintptr_t code)
{
	int k = known_count - 1;
	while (k >= 0 && (code < known[k].begin || code >= known[k].end))
		k--;
	return k;
}

bool plugin_crash_has(uintptr_t code)
{
	return owner_of(code) >= 0;
}

/* The innermost frame that is in a plug-in's code; -1: none is. */
static int find(void *const *frames, int count, uintptr_t *at)
{
	int k = -1;
	for (int i = 0; i < count && k < 0; i++) {
		*at = (uintptr_t)frames[i];
		k = owner_of(*at);
	}
	return k;
}

static void on_crash(int number)
{
	void *frames[FRAMES];
	uintptr_t at;
	struct crash_line l = {.length = 0};
	int k = find(frames, backtrace(frames, FRAMES), &at);
	add(&l, "cegsim: error: ");
	add(&l, k >= 0 ? "plug-in " : "the program");
	add(&l, k >= 0 ? known[k].file : "");
	add(&l, " crashed (");
	for (size_t i = 0; i < SIGNALS; i++)
		add(&l, signals[i].number == number ? signals[i].meaning : "");
	if (k >= 0) {
		add(&l, "); built with -g, addr2line -e ");
		add(&l, known[k].file);
		add(&l, " ");
		add_hex(&l, at - known[k].base);
		add(&l, " says where\n");
	} else {
		add(&l, "), perhaps of what a plug-in did before\n");
	}
	bool written = write(STDERR_FILENO, l.text, l.length) >= 0;
	(void)written;
	if (getpid() == watched)
		interrupt_quit(STATUS_IO);
	raise(number); /* this signal has its default action again: SA_RESETHAND */
}

void plugin_crash_watch(void)
{
	void *frame;
	if (watched)
		return;
	watched = getpid();
	backtrace(&frame, 1); /* loads now what the handler would load later */
	const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof(stack)};
	sigaltstack(&alternative, NULL);
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i].number, &action, NULL);
}

/* ---- where the code is ---- */

static int note_code(struct dl_phdr_info *info, size_t size, void *self)
{
	const struct link_map *map = self;
	(void)size;
	if (info->dlpi_addr != map->l_addr)
		return 0;
	known[known_count].base = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		known[known_count].begin = info->dlpi_addr + p->p_vaddr;
		known[known_count].end = known[known_count].begin + p->p_memsz;
	}
	return 1;
}

void plugin_crash_know(const struct link_map *map, const char *file)
{
	if (known_count == KNOWN_MAX)
		return;
	known[known_count].file = file;
	struct link_map wanted = *map;
	dl_iterate_phdr(note_code, &wanted);
	known_count++;
}
