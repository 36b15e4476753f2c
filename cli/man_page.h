/* cli/man_page.h - shows a man page of the program. */
#ifndef CEGSIM_CLI_MAN_PAGE_H
#define CEGSIM_CLI_MAN_PAGE_H

#include <stdbool.h>

/* Shows the page with man(1), and waits until the user has left it. False: standard output is no terminal, or
 * there is no such page, or no man. Then nothing was printed. */
bool man_page_show(const char *page);

#endif
