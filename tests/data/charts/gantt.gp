# Data: start end row low high (instants on the time axis; threads or jobs), by task; rows from the top.
unset grid
set grid x back lt -1 lc rgb '#dddddd' lw 0.4
y(row, low) = bottom[int(row)] + low * level[int(row)]
set multiplot
unset object
unset label
unset arrow
unset ytics
unset ylabel
set lmargin at screen 0.07143
set rmargin at screen 0.98000
set bmargin at screen 0.55671
set tmargin at screen 0.96442
set xrange [-0.0943396226415:12.0943396226]
set yrange [0:2.7500]
array bottom[6]
array level[6]
array height[6]
bottom[1] = 2.5200; height[1] = 0.2100; level[1] = 0.105
set label '{/*0.9 '."a\\_1".'}' at graph -0.00943, first 2.6075 right tc rgb '#222222'
set arrow from graph 0, first 2.5200 to graph 1, first 2.5200 nohead back lc rgb '#999999' lw 0.5
bottom[2] = 2.2600; height[2] = 0.2100; level[2] = 0.105
set label '{/*0.9 '."b".'}' at graph -0.00943, first 2.3475 right tc rgb '#222222'
set arrow from graph 0, first 2.2600 to graph 1, first 2.2600 nohead back lc rgb '#999999' lw 0.5
bottom[3] = 1.9300; height[3] = 0.2000; level[3] = 0.2
set label '{/*0.9 '."CPU".'}' at graph -0.00943, first 2.0300 right tc rgb '#222222'
set object rectangle from graph 0, first 1.9300 to graph 1, first 2.1300 behind fc rgb '#f3f3f3' fs solid 1 noborder
bottom[4] = 1.6500; height[4] = 0.2000; level[4] = 0.2
set label '{/*0.9 '."copy".'}' at graph -0.00943, first 1.7500 right tc rgb '#222222'
set object rectangle from graph 0, first 1.6500 to graph 1, first 1.8500 behind fc rgb '#f3f3f3' fs solid 1 noborder
bottom[5] = 0.8200; height[5] = 0.7500; level[5] = 0.00073242188
set label '{/*0.9 '."SM 0".'}' at graph -0.00943, first 1.1950 right tc rgb '#222222'
set object rectangle from graph 0, first 0.8200 to graph 1, first 1.5700 behind fc rgb '#f3f3f3' fs solid 1 noborder
bottom[6] = 0.0300; height[6] = 0.7500; level[6] = 0.00073242188
set label '{/*0.9 '."SM 1".'}' at graph -0.00943, first 0.4050 right tc rgb '#222222'
set object rectangle from graph 0, first 0.0300 to graph 1, first 0.7800 behind fc rgb '#f3f3f3' fs solid 1 noborder
set label '{/*0.9 '."(a) fifo-cke, run 1".'}' at screen 0.07143, screen 0.97924 left tc rgb '#444444'
set border 1 lc rgb '#444444' lw 0.6
set xtics out scale 0.4 1 format "%.0f"
set format x ''
unset xlabel
$run1_task2 << EOD
1 3.25 5 0 768
1 3.25 6 0 768
3.25 5.25 3 0 1
EOD
$run1_task1 << EOD
3.25 4.75 5 0 512
3.25 4.75 5 512 1024
8 9.5 5 0 512
8 9.5 5 512 1024
3.25 4.75 6 0 512
8 9.5 6 0 512
0 1 3 0 1
6 7 3 0 1
1 2 4 0 1
7 8 4 0 1
EOD
$run1_jobs1 << EOD
0 4.75 1 0 1
6 9.5 1 0 1
EOD
$run1_jobs2 << EOD
1 5.25 2 0 1
EOD
$run1_releases1 << EOD
0 1 0
1 2 0
6 1 1
EOD
$run1_deadlines1 << EOD
6 1 0
6 2 0
12 1 1
EOD
array task[3]
array brief[3]
task[1] = 'a\\_1'; brief[1] = 'a1'
task[2] = 'b'; brief[2] = 'b'
mid(start, end) = 0.5 * (start + end)
half(inches) = 0.5 * inches * 1.88679245283
array goes[4] = ['', '↓', '↑', '↕']
said(t, job, form, way) = goes[int(way)+1].(form == 1 ? task[t] : form == 4 ? '' : brief[t]).(job < 0 ? '' : sprintf(' %d', job))
$run1_label1 << EOD
3.25 4.75 5 256 0 1 0 0.2700
8 9.5 5 256 1 1 0 0.2700
3.25 4.75 6 256 0 1 0 0.2700
8 9.5 6 256 1 1 0 0.2700
0 1 3 0.5 0 1 0 0.2700
6 7 3 0.5 1 1 0 0.2700
1 2 4 0.5 0 1 1 0.3400
7 8 4 0.5 1 1 1 0.3400
EOD
$run1_label2 << EOD
1 3.25 5 384 -1 1 0 0.0700
1 3.25 6 384 -1 1 0 0.0700
3.25 5.25 3 0.5 -1 1 0 0.0700
EOD
plot $run1_task2 using 1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror fc rgb '#e69f00' fs solid 1 border lc rgb '#7f5700' lw 0.35 dt 1, \
	$run1_task1 using 1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror fc rgb '#0072b2' fs solid 1 border lc rgb '#003f62' lw 0.35 dt 1, \
	$run1_jobs1 using 1:(y($3,$4)):1:2:(y($3,$4+0.12*($5-$4))):(y($3,$5)) with boxxyerror fc rgb '#0072b2' fs solid 1 border lc rgb '#003f62' lw 0.35 dt 1, \
	$run1_jobs2 using 1:(y($3,$4)):1:2:(y($3,$4+0.12*($5-$4))):(y($3,$5)) with boxxyerror fc rgb '#e69f00' fs solid 1 border lc rgb '#7f5700' lw 0.35 dt 1, \
	$run1_releases1 using 1:(bottom[$2]):(0):(height[$2]) with vectors size screen 0.00571,25,90 filled fixed lc rgb '#222222' lw 0.6 dt 1, \
	$run1_deadlines1 using 1:(bottom[$2]+height[$2]):(0):(-height[$2]) with vectors size screen 0.00571,25,90 filled fixed lc rgb '#222222' lw 0.6 dt 1, \
	$run1_label1 using (mid($1,$2)):(y($3,$4)):(mid($1,$2)-half($8)):(mid($1,$2)+half($8)):(y($3,$4)-0.042):(y($3,$4)+0.042) with boxxyerror fc rgb '#0072b2' fs solid 1 noborder, \
	$run1_label1 using (mid($1,$2)):(y($3,$4)):('{/*0.72 '.said(1,$5,$6,$7).'}') with labels tc rgb '#ffffff', \
	$run1_label2 using (mid($1,$2)):(y($3,$4)):(mid($1,$2)-half($8)):(mid($1,$2)+half($8)):(y($3,$4)-0.042):(y($3,$4)+0.042) with boxxyerror fc rgb '#e69f00' fs solid 1 noborder, \
	$run1_label2 using (mid($1,$2)):(y($3,$4)):('{/*0.72 '.said(2,$5,$6,$7).'}') with labels tc rgb '#000000'
unset object
unset label
unset arrow
unset ytics
unset ylabel
set lmargin at screen 0.07143
set rmargin at screen 0.98000
set bmargin at screen 0.09563
set tmargin at screen 0.50334
set xrange [-0.0943396226415:12.0943396226]
set yrange [0:2.7500]
array bottom[6]
array level[6]
array height[6]
bottom[1] = 2.5200; height[1] = 0.2100; level[1] = 0.105
set label '{/*0.9 '."a\\_1".'}' at graph -0.00943, first 2.6075 right tc rgb '#222222'
set arrow from graph 0, first 2.5200 to graph 1, first 2.5200 nohead back lc rgb '#999999' lw 0.5
bottom[2] = 2.2600; height[2] = 0.2100; level[2] = 0.105
set label '{/*0.9 '."b".'}' at graph -0.00943, first 2.3475 right tc rgb '#222222'
set arrow from graph 0, first 2.2600 to graph 1, first 2.2600 nohead back lc rgb '#999999' lw 0.5
bottom[3] = 1.9300; height[3] = 0.2000; level[3] = 0.2
set label '{/*0.9 '."CPU".'}' at graph -0.00943, first 2.0300 right tc rgb '#222222'
set object rectangle from graph 0, first 1.9300 to graph 1, first 2.1300 behind fc rgb '#f3f3f3' fs solid 1 noborder
bottom[4] = 1.6500; height[4] = 0.2000; level[4] = 0.2
set label '{/*0.9 '."copy".'}' at graph -0.00943, first 1.7500 right tc rgb '#222222'
set object rectangle from graph 0, first 1.6500 to graph 1, first 1.8500 behind fc rgb '#f3f3f3' fs solid 1 noborder
bottom[5] = 0.8200; height[5] = 0.7500; level[5] = 0.00073242188
set label '{/*0.9 '."SM 0".'}' at graph -0.00943, first 1.1950 right tc rgb '#222222'
set object rectangle from graph 0, first 0.8200 to graph 1, first 1.5700 behind fc rgb '#f3f3f3' fs solid 1 noborder
bottom[6] = 0.0300; height[6] = 0.7500; level[6] = 0.00073242188
set label '{/*0.9 '."SM 1".'}' at graph -0.00943, first 0.4050 right tc rgb '#222222'
set object rectangle from graph 0, first 0.0300 to graph 1, first 0.7800 behind fc rgb '#f3f3f3' fs solid 1 noborder
set label '{/*0.9 '."(b) mpcp, run 2".'}' at screen 0.07143, screen 0.51816 left tc rgb '#444444'
set border 1 lc rgb '#444444' lw 0.6
set xtics out scale 0.4 1 format "%.0f"
set format x "{/*0.9 %.0f}"
set xtics offset 0,0.35
set xlabel '{/*0.95 time (ms)}' offset 0,0.75
$run2_task2 << EOD
1 3.25 5 0 768
1 3.25 6 0 768
5.75 6 3 0 1
EOD
$run2_task1 << EOD
4.25 5.75 5 0 512
4.25 5.75 5 512 1024
8 9.5 5 0 512
8 9.5 5 512 1024
4.25 5.75 6 0 512
8 9.5 6 0 512
0 1 3 0 1
6 7 3 0 1
3.25 4.25 4 0 1
7 8 4 0 1
EOD
$run2_boost1 << EOD
1 5.75 3 0 1
7 9.5 3 0 1
EOD
$run2_jobs1 << EOD
0 5.75 1 0 1
6 9.5 1 0 1
EOD
$run2_jobs2 << EOD
1 6 2 0 1
EOD
$run2_releases1 << EOD
0 1 0
1 2 0
6 1 1
EOD
$run2_deadlines1 << EOD
6 1 0
6 2 0
12 1 1
EOD
$run2_removed1 << EOD
6 2 0
EOD
array task[3]
array brief[3]
task[1] = 'a\\_1'; brief[1] = 'a1'
task[2] = 'b'; brief[2] = 'b'
mid(start, end) = 0.5 * (start + end)
half(inches) = 0.5 * inches * 1.88679245283
array goes[4] = ['', '↓', '↑', '↕']
said(t, job, form, way) = goes[int(way)+1].(form == 1 ? task[t] : form == 4 ? '' : brief[t]).(job < 0 ? '' : sprintf(' %d', job))
$run2_label1 << EOD
4.25 5.75 5 256 0 1 0 0.2700
8 9.5 5 256 1 1 0 0.2700
4.25 5.75 6 256 0 1 0 0.2700
8 9.5 6 256 1 1 0 0.2700
0 1 3 0.5 0 1 0 0.2700
6 7 3 0.5 1 1 0 0.2700
3.25 4.25 4 0.5 0 1 1 0.3400
7 8 4 0.5 1 1 1 0.3400
EOD
$run2_spinlabel1 << EOD
1 5.75 3 0.5 0 1 0 0.2700
7 9.5 3 0.5 1 1 0 0.2700
EOD
$run2_label2 << EOD
1 3.25 5 384 -1 1 0 0.0700
1 3.25 6 384 -1 1 0 0.0700
5.75 6 3 0.5 -1 1 0 0.0700
EOD
plot $run2_task2 using 1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror fc rgb '#e69f00' fs solid 1 border lc rgb '#7f5700' lw 0.35 dt 1, \
	$run2_task1 using 1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror fc rgb '#0072b2' fs solid 1 border lc rgb '#003f62' lw 0.35 dt 1, \
	$run2_boost1 using 1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror fc rgb '#9ec9e2' fs solid 1 border lc rgb '#003f62' lw 0.35 dt 1, \
	$run2_boost1 using 1:(y($3,$4)):1:2:(y($3,$4)):(y($3,$5)) with boxxyerror fc rgb '#003f62' fs transparent pattern 5 noborder, \
	$run2_boost1 using 1:(y($3,$5)):1:2:(y($3,$5-0.25*($5-$4))):(y($3,$5)) with boxxyerror fc rgb '#000000' fs solid 1 noborder, \
	$run2_jobs1 using 1:(y($3,$4)):1:2:(y($3,$4+0.12*($5-$4))):(y($3,$5)) with boxxyerror fc rgb '#0072b2' fs solid 1 border lc rgb '#003f62' lw 0.35 dt 1, \
	$run2_jobs2 using 1:(y($3,$4)):1:2:(y($3,$4+0.12*($5-$4))):(y($3,$5)) with boxxyerror fc rgb '#e69f00' fs solid 1 border lc rgb '#7f5700' lw 0.35 dt 1, \
	$run2_releases1 using 1:(bottom[$2]):(0):(height[$2]) with vectors size screen 0.00571,25,90 filled fixed lc rgb '#222222' lw 0.6 dt 1, \
	$run2_deadlines1 using 1:(bottom[$2]+height[$2]):(0):(-height[$2]) with vectors size screen 0.00571,25,90 filled fixed lc rgb '#222222' lw 0.6 dt 1, \
	$run2_removed1 using 1:(bottom[$2]+0.72*height[$2]) with points pt 2 ps 0.75 lc rgb '#cc0000' lw 1.6, \
	$run2_removed1 using 1:(bottom[$2]+0.72*height[$2]) with points pt 6 ps 1.1 lc rgb '#cc0000' lw 1, \
	$run2_label1 using (mid($1,$2)):(y($3,$4)):(mid($1,$2)-half($8)):(mid($1,$2)+half($8)):(y($3,$4)-0.042):(y($3,$4)+0.042) with boxxyerror fc rgb '#0072b2' fs solid 1 noborder, \
	$run2_label1 using (mid($1,$2)):(y($3,$4)):('{/*0.72 '.said(1,$5,$6,$7).'}') with labels tc rgb '#ffffff', \
	$run2_spinlabel1 using (mid($1,$2)):(y($3,$4)):(mid($1,$2)-half($8)):(mid($1,$2)+half($8)):(y($3,$4)-0.042):(y($3,$4)+0.042) with boxxyerror fc rgb '#9ec9e2' fs solid 1 noborder, \
	$run2_spinlabel1 using (mid($1,$2)):(y($3,$4)):('{/*0.72 '.said(1,$5,$6,$7).'}') with labels tc rgb '#000000', \
	$run2_label2 using (mid($1,$2)):(y($3,$4)):(mid($1,$2)-half($8)):(mid($1,$2)+half($8)):(y($3,$4)-0.042):(y($3,$4)+0.042) with boxxyerror fc rgb '#e69f00' fs solid 1 noborder, \
	$run2_label2 using (mid($1,$2)):(y($3,$4)):('{/*0.72 '.said(2,$5,$6,$7).'}') with labels tc rgb '#000000'
unset border
unset tics
unset xlabel
unset grid
unset label
unset arrow
unset object
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.03188
set xrange [0:7.0000]
set yrange [0:0.2150]
set object rectangle from 0.100,0.052 to 0.280,0.142 fc rgb '#0072b2' fs solid 1 border lc rgb '#003f62' lw 0.4
set label '{/*0.9 '."a\\_1".'}' at 0.340,0.097 left tc rgb '#222222'
set object rectangle from 0.668,0.052 to 0.848,0.142 fc rgb '#e69f00' fs solid 1 border lc rgb '#7f5700' lw 0.4
set label '{/*0.9 '."b".'}' at 0.908,0.097 left tc rgb '#222222'
set arrow from 1.244,0.037 to 1.244,0.157 size 0.035,25,90 filled fixed lc rgb '#222222' lw 0.7
set label '{/*0.9 '."release".'}' at 1.364,0.097 left tc rgb '#222222'
set arrow from 2.036,0.157 to 2.036,0.037 size 0.035,25,90 filled fixed lc rgb '#222222' lw 0.7
set label '{/*0.9 '."deadline".'}' at 2.156,0.097 left tc rgb '#222222'
set label '' at 2.884,0.097 point pt 2 ps 0.75 lc rgb '#cc0000' lw 1.6
set label '' at 2.884,0.097 point pt 6 ps 1.1 lc rgb '#cc0000' lw 1
set label '{/*0.9 '."removed at its deadline".'}' at 3.004,0.097 left tc rgb '#222222'
set object rectangle from 4.452,0.052 to 4.632,0.142 fc rgb '#c7c7c7' fs solid 1 border lc rgb '#3b3b3b' lw 0.4
set object rectangle from 4.452,0.052 to 4.632,0.142 fc rgb '#3b3b3b' fs transparent pattern 5 noborder
set object rectangle from 4.452,0.117 to 4.632,0.142 fc rgb '#000000' fs solid 1 noborder
set label '{/*0.9 '."spins, boosted".'}' at 4.692,0.097 left tc rgb '#222222'
set label '{/*0.9 '."SM: 1024 threads high".'}' at 5.636,0.097 left tc rgb '#222222'
plot NaN
unset multiplot
unset output
