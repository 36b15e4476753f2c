#!/bin/sh
# fails.sh TEST - succeeds if the test says that something is wrong: a fault is built into what it tests.
"$@" >/dev/null 2>&1
[ $? -eq 1 ]
