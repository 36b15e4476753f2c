# 4.623 x 2.350 inches
$data1 << EOD
# p1: rm
# x y low high
0.5 0.9 0.8 0.9500000000000001
1 NaN NaN NaN
1.5 0.25 0.15 0.3
EOD
$data2 << EOD
# p1: fcfs
# x y low high
0.5 0.75 0.65 0.8
EOD
$data3 << EOD
# p2: fcfs
# x y low high
1.5 0.125 0.024999999999999994 0.175
EOD
set multiplot
set lmargin at screen 0.11439
set rmargin at screen 0.52535
set bmargin at screen 0.28085
set tmargin at screen 0.87660
set xrange [0.48:1.52]
set xtics 0.2
set format x "%g"
set yrange [0:1.03]
set ytics 0.2
set format y "%g"
unset label
set label 1 "p1" at screen 0.11439,0.91915 left
set label 2 "share" at screen 0.02163,0.57872 center rotate by 90
set label 3 "target utilisation" at screen 0.54266,0.13617 center
plot \
	0.5 with lines lt -1 lc rgb '#888888' dt 2 lw 0.8, \
	$data1 using 1:3:4 with filledcurves lc rgb '#0072b2' fs transparent solid 0.16, \
	$data1 using 1:2 with linespoints lt 1, \
	$data2 using 1:3:4 with filledcurves lc rgb '#d55e00' fs transparent solid 0.16, \
	$data2 using 1:2 with linespoints lt 2
set lmargin at screen 0.55996
set rmargin at screen 0.97092
set bmargin at screen 0.28085
set tmargin at screen 0.87660
set xrange [0.48:1.52]
set xtics 0.2
set format x "%g"
set yrange [0:1.03]
set ytics 0.2
set format y ""
unset label
set label 1 "p2" at screen 0.55996,0.91915 left
plot \
	0.5 with lines lt -1 lc rgb '#888888' dt 2 lw 0.8, \
	$data3 using 1:3:4 with filledcurves lc rgb '#d55e00' fs transparent solid 0.16, \
	$data3 using 1:2 with linespoints lt 2
unset border
unset tics
unset grid
unset label
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.09362
set xrange [0:4.62329]
set yrange [0:0.22000]
$sample1 << EOD
0.100 0.140
0.420 0.140
EOD
$mark1 << EOD
0.260 0.140
EOD
set label 1 "rm" at screen 0.10382,0.05957 left
$sample2 << EOD
0.803 0.140
1.123 0.140
EOD
$mark2 << EOD
0.963 0.140
EOD
set label 2 "fcfs" at screen 0.25586,0.05957 left
plot NaN, \
	$sample1 using 1:2 with lines lt 1, \
	$mark1 using 1:2 with points lt 1, \
	$sample2 using 1:2 with lines lt 2, \
	$mark2 using 1:2 with points lt 2
unset multiplot
