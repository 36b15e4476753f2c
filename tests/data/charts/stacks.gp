# 4.943 x 2.160 inches
$data1 << EOD
# gpu: static
# place half-width bottom top
0 0.4 0 2 # rm
1 0.4 0 3 # fcfs
EOD
$data2 << EOD
# gpu: idle
# place half-width bottom top
0 0.4 2 3 # rm
EOD
$data3 << EOD
# small: idle
# place half-width bottom top
0 0.4 0 -0.5 # rm
EOD
$data4 << EOD
# small: rest
# place half-width bottom top
0 0.4 0 0.25 # rm
EOD
set multiplot
set lmargin at screen 0.08322
set rmargin at screen 0.48786
set bmargin at screen 0.21759
set tmargin at screen 0.86574
set xrange [-0.5:1.5]
set xtics ("" 0, "" 1)
set grid noxtics
set yrange [0:3.12]
set ytics 1
set format y "%g"
unset label
set label 1 "gpu" at screen 0.08322,0.91204 left
set label 10 "rm" at screen 0.18438,0.16204 center
set label 11 "fcfs" at screen 0.38670,0.16204 center
plot \
	$data1 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#0c79b5' fs solid 1 border lc rgb '#333333', \
	$data2 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#d7660c' fs solid 1 border lc rgb '#333333'
set lmargin at screen 0.57109
set rmargin at screen 0.97572
set bmargin at screen 0.21759
set tmargin at screen 0.86574
set xrange [-0.5:1.5]
set xtics ("" 0, "" 1)
set grid noxtics
set yrange [-0.53:0.28]
set ytics 0.2
set format y "%g"
unset label
set label 1 "small" at screen 0.57109,0.91204 left
set label 10 "rm" at screen 0.67224,0.16204 center
set label 11 "fcfs" at screen 0.87456,0.16204 center
plot \
	0 with lines lt -1 lc rgb '#444444' lw 0.6, \
	$data3 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#d7660c' fs solid 1 border lc rgb '#333333', \
	$data4 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#59bfa4' fs solid 1 border lc rgb '#333333'
unset border
unset tics
unset grid
unset label
unset arrow
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.10185
set xrange [0:4.94271]
set yrange [0:0.22000]
set object 1 rectangle center 0.220,0.140 size 0.2,0.09 fillcolor rgb '#0c79b5' fillstyle solid 1 border lc rgb '#333333'
set label 1 "static" at screen 0.07688,0.06481 left
set object 2 rectangle center 0.983,0.140 size 0.2,0.09 fillcolor rgb '#d7660c' fillstyle solid 1 border lc rgb '#333333'
set label 2 "idle" at screen 0.23134,0.06481 left
set object 3 rectangle center 1.637,0.140 size 0.2,0.09 fillcolor rgb '#59bfa4' fillstyle solid 1 border lc rgb '#333333'
set label 3 "rest" at screen 0.36358,0.06481 left
plot NaN
unset multiplot
