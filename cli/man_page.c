/* cli/man_page.c - asks man(1) where a page is, and lets it show the page. */
#include "cli/man_page.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs man with these arguments; quiet: what it prints is thrown away. True: its exit status is 0. */
static bool run_man(const char *const *argv, bool quiet)
{
	posix_spawn_file_actions_t files;
	pid_t child;
	int status;
	if (posix_spawn_file_actions_init(&files) != 0)
		return false;
	int failed = 0;
	for (int fd = STDOUT_FILENO; quiet && fd <= STDERR_FILENO && !failed; fd++)
		failed = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
	/* posix_spawnp() does not change the words, but wants them without const */
	failed = failed ? failed
			: posix_spawnp(&child, "man", &files, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return !failed && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

bool man_page_show(const char *page)
{
	if (!isatty(STDOUT_FILENO))
		return false;
	return run_man((const char *const[]){"man", "-w", page, NULL}, true) &&
	       run_man((const char *const[]){"man", page, NULL}, false);
}
