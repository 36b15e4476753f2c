/* db/template_plain.c - makes the empty recording by its statements: in place of db/template.c where SQLite
 * is without sqlite3_deserialize() (db/meson.build), which it may be before 3.36. */
#include "db/schema.h"
#include "db/sql.h"
#include "db/template.h"

bool template_fill(sqlite3 *db, const char *file, struct error *err)
{
	return sql_exec(db, "PRAGMA synchronous = OFF; BEGIN", file, err) && schema_create(db, file, err) &&
	       schema_complete(db, true, file, err) && sql_exec(db, "COMMIT", file, err);
}
