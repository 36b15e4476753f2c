/* policies/plugin/crash.h - says whose code it was when the program dies of a plug-in. */
#ifndef CEGSIM_POLICIES_PLUGIN_CRASH_H
#define CEGSIM_POLICIES_PLUGIN_CRASH_H

#include <link.h>

/* Before the first plug-in is loaded. From then on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print a line
 * that names the plug-in, and end this process with STATUS_IO; processes forked from it die of the
 * signal. */
void plugin_crash_watch(void);
/* A plug-in was loaded: where its code is. `file` is kept. Beyond the first 64 they go unnamed. */
void plugin_crash_know(const struct link_map *map, const char *file);

#endif
