# 3.400 x 2.400 inches
$data1 << EOD
# rm
# place half-width least q1 median q3 greatest
-0.2 0.15384615384615385 1 2 3 5 9 # t1
0.8 0.15384615384615385 4 4.5 5 6 30 # t2
EOD
$data2 << EOD
# fcfs
# place half-width least q1 median q3 greatest
0.2 0.15384615384615385 1 1 1 1 1 # t1
EOD
set multiplot
set lmargin at screen 0.09738
set rmargin at screen 0.96471
set bmargin at screen 0.19583
set tmargin at screen 0.96667
set xrange [-0.5:1.5]
set xtics ("" 0, "" 1)
set grid noxtics
set yrange [0:31.2]
set ytics 5
set format y "%g"
unset label
set label 10 "t1" at screen 0.31421,0.14583 center
set label 11 "t2" at screen 0.74787,0.14583 center
plot \
	$data1 using 1:4:3:7:6:($2*2) with candlesticks lt -1 lw 0.6 lc rgb '#b2ddf5' fs solid 1 border lc rgb '#333333' whiskerbars 0.5, \
	$data1 using ($1-$2):5:($2*2):(0) with vectors nohead lt -1 lc rgb '#000000' lw 1.6, \
	$data2 using 1:4:3:7:6:($2*2) with candlesticks lt -1 lw 0.6 lc rgb '#edbb4c' fs solid 1 border lc rgb '#333333' whiskerbars 0.5, \
	$data2 using ($1-$2):5:($2*2):(0) with vectors nohead lt -1 lc rgb '#000000' lw 1.6
unset border
unset tics
unset grid
unset label
unset arrow
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.09167
set xrange [0:3.40000]
set yrange [0:0.22000]
set object 1 rectangle center 0.220,0.140 size 0.2,0.09 fillcolor rgb '#b2ddf5' fillstyle solid 1 border lc rgb '#333333'
set label 1 "rm" at screen 0.11176,0.05833 left
set object 2 rectangle center 0.823,0.140 size 0.2,0.09 fillcolor rgb '#edbb4c' fillstyle solid 1 border lc rgb '#333333'
set label 2 "fcfs" at screen 0.28909,0.05833 left
plot NaN
unset multiplot
