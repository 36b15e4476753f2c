#!/bin/sh
# tests/architecture.sh finds every kind of offence that it looks for.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

check() {
	run_command sh "$SOURCES/tests/architecture.sh" "$FOLDER/tree"
}

plant() {
	rm -rf tree
	mkdir -p tree/base tree/sim tree/models tree/db/audit tree/cli tree/tests tree/build-x/sim
	echo '#include "base/error.h"' >tree/sim/engine.h
	printf '#include <stdio.h>\n#include "models/own.h"\n#include "sim/engine.h"\n' >tree/models/cpu.c
	echo '#include "cli/table.h"' >tree/tests/test_table.c
	echo '#include "models/cpu.h"' >tree/build-x/sim/generated.c
}

plant
check
expect_status 0 "a tree in order passes"

# offend FILE LINE MESSAGE NAME
offend() {
	plant
	echo "$2" >"tree/$1"
	check
	expect_status 1 "$4"
	expect_line out "^# $3\$" "and is named"
}

offend sim/a.c '#include "models/cpu.h"' 'sim/a\.c:1: sim may not include models' "an include upwards"
offend db/audit/a.c '#  include "sim/engine.h"' 'db/audit/a\.c:1: db/audit may not include sim' "a room within a room"
offend db/a.c '#include "db/audit/audit.h"' 'db/a\.c:1: db may not include db/audit' "an include of the room within"
offend db/a.h '#include "cli/table.h"' 'db/a\.h:1: db may not include cli' "nobody includes cli"
offend sim/a.c '#include "engine.h"' 'sim/a\.c:1: includes "engine\.h" without its folder' "no folder"
offend sim/a.c '#include "extra/x.h"' 'sim/a\.c:1: includes "extra/x\.h" of an unknown room' "an unknown room"

plant
mkdir tree/extra
echo >tree/extra/x.c
check
expect_line out '^# extra/x\.c: in an unknown room$' "a file in an unknown room"

plant
yes '' | head -n 600 >tree/sim/long.c
check
expect_status 0 "600 lines are allowed"
echo >>tree/sim/long.c
check
expect_line out '^# sim/long\.c: has 601 lines; at most 600$' "601 are not"

# circle FILE TEXT FILE TEXT
circle() {
	plant
	printf '%b' "$2" >"tree/$1"
	printf '%b' "$4" >"tree/$3"
	check
}

circle sim/a.c 'int a_do(int x)\n{\n\treturn x ? b_do(x) : 0;\n}\n' sim/b.c 'int b_do(int x)\n{\n\treturn a_do(x - 1);\n}\n'
expect_status 1 "files that call each other"
expect_line out '^# sim/a\.c -> sim/b\.c \(b_do\) -> sim/a\.c \(a_do\): a circle$' "and the circle is said"
expect_line out '^ok 1 ' "the rooms are in order"

circle sim/a.h '#include "sim/b.h"\n' sim/b.h '#include "sim/a.h"\n'
expect_status 1 "headers that include each other"
expect_line out '^# sim/a\.h -> sim/b\.h -> sim/a\.h: a circle$' "and the circle is said"

plant
echo 'void a_do(void) { b_do(); }' >tree/base/a.c
echo 'void b_do(void) { c_do(); }' >tree/base/b.c
printf 'MUST_CHECK struct c *c_do(\n\tvoid)\n{\n\ta_do();\n}\n' >tree/base/c.c
check
expect_line out '^# base/a\.c -> base/b\.c \(b_do\) -> base/c\.c \(c_do\) -> base/a\.c \(a_do\): a circle$' "a circle of three"

# straight TEXT NAME: if TEXT replaces a call from b.c back to a.c, there is no circle
straight() {
	circle sim/a.c 'void a_do(void)\n{\n\tb_do();\n}\n' sim/b.c "$1\nvoid b_do(void)\n{\n$2\n}\n"
	expect_status 0 "$3"
}

straight 'void a_do(void);' '\tcall_later(a_do);' "a function in a table is no call"
straight '' '\t/* a_do() */ c = "a_do() \\\\\" a_do()"; // a_do()\n\t/*\n\ta_do(); */' "nor is one in a comment or a text"
straight 'static void a_do(int x)\n{\n}' '\ta_do(1);' "nor one of the file's own"
straight '' '\tthem->a_do(); it.a_do();' "nor a member"

circle models/gpu.c 'void gpu_do(void)\n{\n\tjobs_do();\n}\n' models/jobs.c 'void jobs_do(void)\n{\n\tgpu_do();\n}\n'
expect_status 0 "the parts of a machine call each other"

finish
