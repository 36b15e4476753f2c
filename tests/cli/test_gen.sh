#!/bin/sh
# cegsim gen: sets on the screen and in a recording, the same from any index on, and wrong requests.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run gen
expect_status 2 "gen needs a recipe"
expect_line err '^cegsim gen: which recipe\?' "and says so"
run gen sbet
expect_status 2 "a mistyped recipe"
expect_line err "^cegsim gen: there is no recipe 'sbet'; did you mean 'sbeet'\?" "names the near one"
run gen sbeet taks=3
expect_status 2 "a mistyped option"
expect_line err "^cegsim gen: recipe sbeet: has no option 'taks'; did you mean 'tasks'\?" "names the near one"
run gen sbeet tasks
expect_status 2 "an option without a value"
run gen custom utilisation=6
expect_status 2 "contradictory options"
expect_line err '^cegsim: error: recipe custom, set 0: the upper bounds add up to 5, less than the sum 6' "say why"
run gen sbeet -n 0
expect_status 2 "no sets at all"

for recipe in rtgpu-table1 sbeet gcaps custom; do
	run gen "$recipe" -n 20 --seed 3 --format csv
	expect_status 0 "20 sets of $recipe"
	cp out all
	run_command sh -c 'test "$(wc -l <all)" -eq 21'
	expect_status 0 "a line each"
	run gen "$recipe" -n 1 --from 13 --seed 3 --format csv
	sed -n "1p; /^13,/p" all >wanted
	compare out "set 13 alone is the same" <wanted
	run gen "$recipe" -n 20 --seed 4 --format csv
	run_command cmp -s out all
	expect_status 1 "another seed, other sets"
done

run gen rtgpu-table1 -n 2 --tasks --format csv
expect_status 0 "a line for every task"
cp out tasks
run_command awk -F, '
NR == 1 && $0 != "set,task,period_ns,deadline_ns,offset_ns,segments,cpu_ns,copy_ns,kernel_ns" { exit 1 }
NR > 1 && ($3 != $4 || $6 != 17 || $7 < 5e6 || $7 > 100e6 || $8 < 8e6 || $8 > 40e6) { exit 1 }
END { exit NR != 11 }' tasks
expect_status 0 "with Table 1's numbers"

# Recipes of kernels of warps draw nothing.
run gen qos-mixes sharers=trios goals=2 goal=62.5% -n 2 --from 59 --format csv
expect_out "trios go around" <<'END'
set,name,kernels,blocks,warp_instructions
59,tpacf+sgemm+stencil 2x62.5%,3,280,950976
60,cutcp+histo+lbm 2x62.5%,3,280,1099840
END
run gen qos-mixes goal=80% -n 1 --from 17 --tasks --format csv
expect_out "a line for every kernel" <<'END'
set,kernel,blocks,threads,registers,shared_memory,warp_instructions,thread_instructions,launch,goal_kind,goal_ipc_ppm,goal_share_ppm,goal_time_ns
17,histo,32,512,21,24576,12288,380928,0,share,,800000,
17,tpacf,56,256,30,13312,410816,12192768,0,,,,
END
run gen qos-mixes library=qos1 goal=80% -n 1 --from 17 --tasks --format csv
expect_out "the first kernels on demand" <<'END'
set,kernel,blocks,threads,registers,shared_memory,warp_instructions,thread_instructions,launch,goal_kind,goal_ipc_ppm,goal_share_ppm,goal_time_ns
17,histo,64,256,20,6144,6656,200704,0,share,,800000,
17,tpacf,256,256,30,13312,387072,11722752,0,,,,
END
run gen qos-mixes goal=80% -n 1 --from 17 --tasks
expect_out "with the goal in words for people" <<'END'
set  kernel  blocks  threads  registers  shared_memory  warp_instructions  thread_instructions  launch  goal
---  ------  ------  -------  ---------  -------------  -----------------  -------------------  ------  ---------------------
 17  histo       32      512         21          24576              12288               380928       0  80 % of the IPC alone
 17  tpacf       56      256         30          13312             410816             12192768       0  -
END
run gen qaws-pairs mix=heterogeneous -n 5 -o pairs.db -q
expect_status 0 "kernels of warps into a recording"
run query pairs.db 'SELECT count(*) AS sets, sum(task_count) AS kernels FROM taskset' --format csv
expect_out "which has them" <<'END'
sets,kernels
5,10
END

run gen sbeet utilisation=0.9 tasks=4 -n 50 --seed 9 -o sets.db -q
expect_status 0 "into a recording"
expect_no_output "quietly"
run query sets.db 'SELECT count(*) AS sets, count(DISTINCT recipe_index) AS indexes, min(recipe_index) AS first,
	max(target_utilisation_ppm) AS target, (SELECT count(*) FROM task) AS tasks, (SELECT count(*) FROM run) AS runs,
	(SELECT sms FROM platform) AS sms FROM taskset' --format csv
expect_out "which has them all, and no runs" <<'END'
sets,indexes,first,target,tasks,runs,sms
50,50,0,900000,200,0,46
END
run query sets.db "SELECT DISTINCT json_extract(recipe, '\$.recipe') AS recipe, json_extract(recipe, '\$.seed') AS seed,
	json_extract(recipe, '\$.options.tasks') AS tasks FROM taskset" --format csv
expect_out "and says how they were made" <<'END'
recipe,seed,tasks
sbeet,9,4
END
run gen sbeet -n 1 -o sets.db
expect_status 2 "a recording is not replaced"
run gen sbeet -n 1 -o sets.db --force
expect_status 0 "unless it is said"
run gen custom utilisation=6 -o other.db
expect_status 2 "a request that fails"
expect_no_file other.db "leaves no file"
expect_no_file other.db.part "nor a part of one"

finish
