/* db/embedded.h - the SQL texts that are compiled into the library (db/meson.build). They have no terminating
 * NUL. */
#ifndef CEGSIM_DB_EMBEDDED_H
#define CEGSIM_DB_EMBEDDED_H

#define EMBEDDED(name) extern const char _binary_##name##_sql_start[], _binary_##name##_sql_end[]
EMBEDDED(view_columns);
EMBEDDED(indexes);
EMBEDDED(levels);
EMBEDDED(views);
EMBEDDED(waits);
EMBEDDED(flight_waits);
EMBEDDED(why);
EMBEDDED(bound_check);
EMBEDDED(queries);
#undef EMBEDDED

#endif
