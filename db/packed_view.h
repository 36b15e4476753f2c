/* db/packed_view.h - what packed segments (db/packed.h) say: the text of the view `segment`, and which shape
 * a character of task_segments.shapes stands for. Writer and readers have it from here. */
#ifndef CEGSIM_DB_PACKED_VIEW_H
#define CEGSIM_DB_PACKED_VIEW_H

#include <stdint.h>

#include "base/text.h"

/* Shapes are written as characters, from this one on. SQLite reads neither surrogates nor U+FFFE and U+FFFF
 * as what they are. */
#define FIRST_SHAPE '0'
#define SURROGATES 0xD800
#define BEHIND_SURROGATES 0x10000

/* The view, without a semicolon, as SQLite keeps it. */
void packed_view(struct text *sql);

/* The place of a shape behind the task's shape 0, of its character. */
int64_t packed_shape(uint32_t character);

#endif
