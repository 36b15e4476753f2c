#!/bin/sh
# tests/architecture.sh finds what it is there to find.
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

finish
