# 3.125 x 2.250 inches
$data1 << EOD
# rm
# place half-width bottom top low high
-0.2 0.2 0 0.5 NaN NaN # CPU
0.8 0.2 0 -0.25 -0.5 0.125 # the SMs of the GPU
EOD
$data2 << EOD
# fcfs
# place half-width bottom top low high
0.2 0.2 0 1 0.75 2 # CPU
EOD
set multiplot
set lmargin at screen 0.18285
set rmargin at screen 0.96160
set bmargin at screen 0.20889
set tmargin at screen 0.96444
set xrange [-0.5:1.5]
set xtics ("" 0, "" 1)
set grid noxtics
set yrange [-0.6:2.1]
set ytics 0.5
set format y "%g"
unset label
set label 2 "energy (J)" at screen 0.03200,0.58667 center rotate by 90
set label 10 "CPU" at screen 0.37753,0.15556 center
set label 11 "the SMs of the GPU" at screen 0.76691,0.15556 center
plot \
	0 with lines lt -1 lc rgb '#444444' lw 0.6, \
	$data1 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#b2ddf5' fs solid 1 border lc rgb '#333333', \
	$data1 using 1:5:(0):($6-$5) with vectors heads size screen 0.0064,90 lt -1 lc rgb '#333333' lw 0.8, \
	$data2 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#edbb4c' fs solid 1 border lc rgb '#333333', \
	$data2 using 1:5:(0):($6-$5) with vectors heads size screen 0.0064,90 lt -1 lc rgb '#333333' lw 0.8
unset border
unset tics
unset grid
unset label
unset arrow
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.09778
set xrange [0:3.12477]
set yrange [0:0.22000]
set object 1 rectangle center 0.220,0.140 size 0.2,0.09 fillcolor rgb '#b2ddf5' fillstyle solid 1 border lc rgb '#333333'
set label 1 "rm" at screen 0.12161,0.06222 left
set object 2 rectangle center 0.823,0.140 size 0.2,0.09 fillcolor rgb '#edbb4c' fillstyle solid 1 border lc rgb '#333333'
set label 2 "fcfs" at screen 0.31455,0.06222 left
plot NaN
unset multiplot
