# 4.943 x 2.190 inches
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
set bmargin at screen 0.22831
set tmargin at screen 0.86758
set xrange [-0.5:1.5]
set xtics ("" 0, "" 1)
set grid noxtics
set yrange [0:3.12]
set ytics 1
set format y "%g"
unset label
set label 1 "gpu" at screen 0.08322,0.91324 left
set label 10 "rm" at screen 0.18438,0.17352 center
set label 11 "fcfs" at screen 0.38670,0.17352 center
plot \
	$data1 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#0072b2' fs solid 0.95 border lc rgb '#333333', \
	$data2 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#d55e00' fs solid 0.6 border lc rgb '#333333'
set lmargin at screen 0.57109
set rmargin at screen 0.97572
set bmargin at screen 0.22831
set tmargin at screen 0.86758
set xrange [-0.5:1.5]
set xtics ("" 0, "" 1)
set grid noxtics
set yrange [-0.53:0.28]
set ytics 0.2
set format y "%g"
unset label
set label 1 "small" at screen 0.57109,0.91324 left
set label 10 "rm" at screen 0.67224,0.17352 center
set label 11 "fcfs" at screen 0.87456,0.17352 center
plot \
	0 with lines lt -1 lc rgb '#444444' lw 0.6, \
	$data3 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#d55e00' fs solid 0.6 border lc rgb '#333333', \
	$data4 using 1:4:($1-$2):($1+$2):3:4 with boxxyerror lt -1 lw 0.5 lc rgb '#009e73' fs solid 0.9 border lc rgb '#333333'
unset border
unset tics
unset grid
unset label
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.10046
set xrange [0:4.94271]
set yrange [0:0.22000]
set object 1 rectangle center 0.240,0.140 size 0.2,0.09 fillcolor rgb '#0072b2' fillstyle solid 0.95 border lc rgb '#333333'
set label 1 "static" at screen 0.09711,0.06393 left
set object 2 rectangle center 1.103,0.140 size 0.2,0.09 fillcolor rgb '#d55e00' fillstyle solid 0.6 border lc rgb '#333333'
set label 2 "idle" at screen 0.27180,0.06393 left
set object 3 rectangle center 1.857,0.140 size 0.2,0.09 fillcolor rgb '#009e73' fillstyle solid 0.9 border lc rgb '#333333'
set label 3 "rest" at screen 0.42428,0.06393 left
plot NaN
unset multiplot
