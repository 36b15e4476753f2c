#!/bin/sh
# cegsim calibrate: measurements within SMs, the scenario of blocks made from them, and what is refused.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# One warp fits half of an SM. A issues in every cycle: 100 instructions, the last has its result 4 cycles later.
cat >busy.yaml <<'END'
cegsim: 1
name: busy
horizon: 1ms
platform: {gpu: {sms: 2, threads_per_sm: 64}}
warp:
  sub_cores: 1
  kernels:
    - {name: A, blocks: 1, block_threads: 32, program: [{compute: {count: 100}}]}
    - {name: B, blocks: 2, block_threads: 32, program: [{compute: {count: 100, distance: 1}}]}
policies: [gto]
END

# ---- the table ------------------------------------------------------------------------------
run calibrate busy.yaml --format csv
expect_status 0 "kernels alone"
expect_out "take what can be counted" <<'END'
kernel,company,beside,sms,draws,min_ns,mean_ns,max_ns,ratio_min,ratio_mean,ratio_max,block_min_ns,block_mean_ns,block_max_ns
A,alone,,1,1,103,103,103,,,,103,103,103
A,alone,,2,1,103,103,103,,,,103,103,103
B,alone,,1,1,401,401,401,,,,400,400,401
B,alone,,2,1,400,400,400,,,,400,400,400
END
run calibrate busy.yaml --sms 1 --draws 2 --beside --format csv
expect_line out '^A,beside,A,1,2,103,152,202,1,1\.480583,1\.961166,103,' \
	"beside itself all slots are taken from the younger"
expect_line out '^A,half,,1,1,103,' "in its half it is as fast"
expect_line out '^A,alone,,1,1,103,103,103,2,2,2,' "so that the other half gains nothing"
expect_line out '^B,alone,,1,1,401,401,401,1\.0025,' "and all that there is, where two do not disturb each other"
run calibrate busy.yaml --sms 1 --draws 2 --beside -p lrr:rotate=cycle --format csv
expect_line out '^A,beside,A,1,2,202,202,202,1\.961166,' "in turn each gets half of them"
run calibrate busy.yaml --format json
expect_line out '^\{"kernel": "A", "company": "alone", "beside": null, "sms": 2, "draws": 1, .*"ratio_min": null' "json"
run calibrate busy.yaml --sms 1 --seed 5
expect_line out '^A +alone +- +1 +1 +0\.103 ' "a table to read"

# ---- the scenario ------------------------------------------------------------------------------
example=$SOURCES/scenarios/examples/warps.yaml
cp "$example" warps.yaml
run calibrate warps.yaml --beside --draws 2 --format csv -o blocks.yaml
expect_status 0 "a scenario of blocks"
cp out first
for form in profile grid work shared; do
	run calibrate warps.yaml --beside --draws 2 --format csv -o "$form.yaml" --form $form
	expect_status 0 "in the form $form"
	cmp -s first out
	report $? "the numbers are the same again"
	run run "$form.yaml" -p fifo-cke -p rtgpu --strict
	expect_status 0 "it runs"
	expect_line out '^warps-calibrated +fifo-cke +ok ' "under fifo-cke"
	expect_line out '^warps-calibrated +rtgpu +ok ' "and under rtgpu"
done
run calibrate warps.yaml --beside --draws 2 -q -o again.yaml
cmp -s blocks.yaml again.yaml
report $? "and so is the file"
expect_line blocks.yaml '^#     cegsim calibrate warps.yaml -p gto --draws 2 --seed 1 --sms 1\.\.4 --beside$' \
	"it names the command"
sed -n 's/^#     cegsim \(.*\)$/\1 --format csv/p' blocks.yaml >words
xargs "$CEGSIM" <words >second
cmp -s first second
report $? "which gives the same numbers"
for form in grid work shared profile; do
	diff "$form.yaml" blocks.yaml | grep '^[<>]' | grep -v 'calibrate\|kernel: {' >rest
	! [ -s rest ]
	report $? "the file in the form $form differs in its form only"
done
# The last time of the first kernel's profile is its longest time alone on 4 SMs.
longest=$(awk -F, '$1 == "filter" && $2 == "alone" && $4 == 4 { print $8 }' first)
expect_line blocks.yaml "^    time: \[[0-9, ]*, $longest\]$" "a profile has the greatest times"
run run blocks.yaml -p fifo-cke -q --format csv
expect_status 0 "and the scenario runs as it is"

run calibrate warps.yaml --draws 1 -o blocks.yaml
expect_status 2 "a file that exists is left alone"
expect_err "and this is said" <<'END'
cegsim: error: blocks.yaml exists already; choose another name, or overwrite it with --force
END
run calibrate warps.yaml --draws 1 -o blocks.yaml --force --sms 1,4
expect_status 0 "but with --force"
expect_line blocks.yaml '^# Times are in ns\. Measured on 1, 4 SMs; on other numbers a profile has the time on the next smaller' \
	"a file of some numbers of SMs says so"
expect_line blocks.yaml '^      # work: not without --beside$' "and what it does not have"
run run blocks.yaml -q
expect_status 0 "it runs"

# ---- the figures --------------------------------------------------------------------------------
# B takes 401 on one SM and 400 on two: the least overhead for Lemma 5.1 is 2 * 400 - 401 = 399, of which Eq. 3 makes
# 401 / (399 / 401 + 2 / 401 * 2).
run calibrate busy.yaml --plot times.svg --script times.gp -q
expect_status 0 "times over SMs"
expect_line times.svg '>Lemma 5\.1<' "as a picture"
sed -n '/^# B: /,/^EOD/p' times.gp >data
compare data "its data are what was measured, the lemma, and the equation" <<'END'
# B: measured
# x y low high
1 0.401 0.401 0.401
2 0.4 0.4 0.4
EOD
# B: Lemma 5.1
# x y
1 0.401
2 0.4
EOD
# B: Eq. 3
# x y
1 0.401
2 0.3990099255583127
EOD
END
run calibrate busy.yaml --sms 1 --draws 2 --beside --plot beside.svg --script beside.gp -q
expect_status 0 "ratios beside each other"
expect_line beside.gp '^-0\.2 0\.2 0 1\.480583 1 1\.961166 # A$' "that of A beside itself"
run calibrate busy.yaml --sms 1 --draws 2 --beside --plot split.pdf --figure split --script split.gp -q
expect_status 0 "and of a kernel alone"
expect_line split.gp ' 1\.0025 1\.0025 1\.0025 # B$' "B's"
[ -s split.pdf ]
report $? "as PDF"
run calibrate busy.yaml --plot times.svg
expect_line err '^cegsim: error: times.svg exists already; ' "what exists is left alone, and nothing measured"

# ---- what is refused ----------------------------------------------------------------------------
# refused TEXT ARGUMENT...: exit 2; TEXT is the last line of standard error before the pointer to --help
refused() {
	text=$1
	shift
	run calibrate "$@"
	expect_status 2 "refused: $*"
	expect_line err "$text" "and why"
}
refused '--figure and --script are of the file that --plot draws$' busy.yaml --figure times
refused '--figure split needs ratios: give --beside, too$' busy.yaml --plot a.svg --figure split
refused '^cegsim: error: .*a\.txt.*svg' busy.yaml --plot a.txt
refused '^cegsim: error: .*quickstart.yaml has no .warp.: only what happens inside of SMs can be measured$' \
	"$SOURCES/scenarios/examples/quickstart.yaml"
refused "^cegsim: error: policy 'fifo-cke' schedules blocks; " busy.yaml -p fifo-cke
refused '^cegsim: error: kernels are measured without a manager, not under rollover$' warps.yaml -p gto:manager=rollover
refused "^cegsim: error: 'solver' is an application; kernels are measured one by one, without 'then'$" \
	"$SOURCES/scenarios/examples/applications.yaml"
refused 'not .blocks=fill.$' busy.yaml -p lrr:blocks=fill
refused 'sms goes to 3; busy.yaml has 2 SMs$' busy.yaml --sms 1..3
for list in 2 0 1,1 1..0 2,1 '1,' 1-2 1..x ''; do
	refused "wants ascending numbers from 1 on, such as 1,2,4 or 1\.\.8, got '$list'$" busy.yaml --sms "$list"
done
refused 'form work needs interleave ratios: give --beside, too$' busy.yaml -o x.yaml --form work
refused 'form shared needs interleave ratios: give --beside, too$' busy.yaml -o x.yaml --form shared
refused 'form is of the scenario that -o writes$' busy.yaml --form grid
refused 'which scenario\?$' -q
refused "one scenario at a time; what is .b.\?$" busy.yaml b
refused 'draws wants a whole number from 1 to 1000' busy.yaml --draws 0
cat >large.yaml <<'END'
cegsim: 1
horizon: 1ms
platform: {gpu: {sms: 1, threads_per_sm: 64}}
warp: {kernels: [{name: A, blocks: 1, block_threads: 33, program: [{compute: {count: 9}}]}]}
policies: [gto]
END
refused "a block of kernel 'A' does not fit half of an SM" large.yaml --beside -o x.yaml --form work
expect_no_file x.yaml "nothing is written"
sed 's/threads_per_sm: 64/threads_per_sm: 64, virtual_sms_per_sm: 4/' busy.yaml >four.yaml
refused 'interleave ratios are measured for two virtual SMs per SM; the platform has 4$' \
	four.yaml --beside -o x.yaml --form shared
run calibrate large.yaml -o /nonexistent/x.yaml
expect_status 3 "a file that cannot be written"

# ---- RTGPU's figures (docs/calibration.md) ----------------------------------------------------------
# Fig. 3 d: with the least overhead for which Lemma 5.1 holds, Eq. 3 is below what was measured.
papers=$SOURCES/scenarios/papers
run calibrate "$papers/rtgpu-fig3.yaml" --sms 1,2,4,8 --draws 1 -q --format csv
expect_status 0 "the kernel of Fig. 3 d"
awk -F, '$1 == "size-14" { t[$4] = $8 }
	END {
		for (m in t)
			if (m > 1 && (m * t[m] - t[1]) / (m - 1) > gl) gl = (m * t[m] - t[1]) / (m - 1)
		for (m in t) {
			unsafe += (t[1] - gl) / m + gl < t[m] * 0.999999
			below += t[1] / (m + (1 - m) * gl / t[1]) < 0.9 * t[m]
		}
		exit !(gl > 0 && unsafe == 0 && below > 0)
	}' out
report $? "takes Lemma 5.1's time, not Eq. 3's"
awk -F, '$1 == "size-15" && $4 > 1 { big[$4 / 2] = $8 } $1 == "size-14" { small[$4] = $8 }
	END { for (m = 1; m <= 4; m *= 2) other += small[m] != big[m]; exit other > 0 }' out
report $? "twice the size on twice the SMs takes as long"
# Table 2: three of the five in its order.
run calibrate "$papers/rtgpu-table2.yaml" --beside --sms 1 --draws 1 -q --format csv
expect_status 0 "the kernels of Table 2"
awk -F, '$2 == "alone" { r[$1] = $10 }
	END { exit !(2 > r["vectoradd"] && r["vectoradd"] > r["dxtc"] && r["dxtc"] > r["quasirand"] && r["quasirand"] > 1.2) }' out
report $? "have three ratios in its order"
run calibrate "$papers/rtgpu-fig5.yaml" --sms 1,16 --draws 1 -q --format csv
expect_status 0 "the kernels of Fig. 5"

# ---- interrupted ------------------------------------------------------------------------------------
# A launch of some minutes.
cat >long.yaml <<'END'
cegsim: 1
horizon: 1s
platform: {gpu: {sms: 4}}
warp: {kernels: [{name: A, blocks: 1000000, block_threads: 256, program: [{compute: {count: 10000}}]}]}
policies: [gto]
END
last="cegsim calibrate long.yaml, SIGINT"
"$CEGSIM" calibrate long.yaml -o long-blocks.yaml >out 2>err &
pid=$!
sleep 1
kill -INT $pid
status=0
wait $pid || status=$?
expect_status 130 "SIGINT ends it"
expect_line err '^cegsim: interrupted after 0 of 4 launches; nothing is kept$' "it says so"
expect_no_file long-blocks.yaml "and nothing is kept"

finish
