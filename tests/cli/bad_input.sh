#!/bin/sh
# tests/cli/bad_input.sh - every kind of mistake in a scenario file must give exit code 2, no output, and the exact
# message with its file:line:col. bad/NAME.yaml is the file, bad/NAME.expected is all of standard error.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp "$SOURCES"/tests/cli/bad/* .

for file in *.yaml; do
	name=${file%.yaml}
	run run "$file" -o "$name.db"
	expect_status 2 "$name: an input error"
	expect_err "$name: says what is wrong, and where" <"$name.expected"
	expect_no_file "$name.db" "$name: no recording"
done

run run missing.yaml -o x.db
expect_status 2 "a missing file: an input error"
expect_err "a missing file is named" <<-'END'
	missing.yaml: error: cannot be opened: No such file or directory
END

mkdir folder
run run folder -o x.db
expect_status 2 "a folder: an input error"
expect_err "a folder is called one" <<-'END'
	folder: error: is a folder, not a file
END

# A file is refused by its size before it is read; a pipe, as soon as too much of it was read.
head -c 100000000 /dev/urandom >junk.yaml
run_command timeout 10 "$CEGSIM" run junk.yaml -o x.db
expect_status 2 "100 MB of junk: an input error, at once"
expect_err "100 MB of junk are refused for their size" <<-'END'
	junk.yaml: error: is larger than 64 MiB, the most this program reads
END
mkfifo pipe.yaml
cat junk.yaml >pipe.yaml 2>/dev/null &
run_command timeout 10 "$CEGSIM" run pipe.yaml -o x.db
wait
expect_status 2 "100 MB of junk from a pipe: an input error"
expect_err "100 MB of junk from a pipe are refused for their size" <<-'END'
	pipe.yaml: error: is larger than 64 MiB, the most this program reads
END

# Just below the limit of size: refused as soon as it holds too many values.
yes -- '- x' | head -c 60000000 >values.yaml
run_command timeout 20 "$CEGSIM" run values.yaml -o x.db
expect_status 2 "a file of millions of values: an input error"
expect_err "a file of millions of values is refused while it is read" <<-'END'
	values.yaml:2000000:3: error: the file holds more than 2000000 values
END

finish
