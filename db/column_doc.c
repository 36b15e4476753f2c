/* db/column_doc.c - prints the rows of column_doc as SQL, for cegsim-recording(5). */
#include <stdio.h>

#include "db/schema.h"

int main(void)
{
	struct text sql = {0};
	struct error err;
	schema_describe(&sql);
	bool ok = text_ok(&sql, "describing columns", &err) && fputs(text_data(&sql), stdout) >= 0 &&
		  fflush(stdout) == 0;
	text_finish(&sql);
	return ok ? 0 : 1;
}
