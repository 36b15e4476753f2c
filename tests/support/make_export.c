/* tests/support/make_export.c - writes an export of Nsight Systems for the tests of the command line:
 *
 *   make_export FILE everything|frames|tasks|many|steps [old|new [COUNT [STREAMS]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/exports.h"

int main(int argc, char **argv)
{
	struct export e;
	if (argc < 3 || argc > 6) {
		fprintf(stderr, "usage: make_export FILE everything|frames|tasks|many|steps "
				"[old|new [COUNT [STREAMS]]]\n");
		return 2;
	}
	int64_t count = argc > 4 ? strtoll(argv[4], NULL, 10) : 10,
		streams = argc > 5 ? strtoll(argv[5], NULL, 10) : 1;
	export_begin(&e, argv[1], argc > 3 && strcmp(argv[3], "old") == 0 ? EXPORT_OLD : EXPORT_NEW);
	if (strcmp(argv[2], "everything") == 0)
		export_everything(&e);
	else if (strcmp(argv[2], "frames") == 0)
		export_frames(&e, count);
	else if (strcmp(argv[2], "tasks") == 0)
		export_tasks(&e, count);
	else if (strcmp(argv[2], "steps") == 0)
		export_steps(&e, count, streams);
	else
		export_many(&e, count, streams);
	export_end(&e);
	return 0;
}
