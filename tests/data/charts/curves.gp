# 4.623 x 2.320 inches
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
$data4 << EOD
# p2: rm (analysis)
# x y low high
0.5 0.5 0.4 0.55
EOD
set linetype 1 lc rgb '#56b4e9' lw 1.3 dt 1 pt 5 ps 0.45
set linetype 2 lc rgb '#e69f00' lw 1.3 dt 1 pt 15 ps 0.45
set linetype 3 lc rgb '#56b4e9' lw 1.3 dt 2 pt 4 ps 0.45
set multiplot
set lmargin at screen 0.11439
set rmargin at screen 0.52535
set bmargin at screen 0.27155
set tmargin at screen 0.87500
set xrange [0.48:1.52]
set xtics 0.2
set format x "%g"
unset arrow
set yrange [0:1.03]
set ytics 0.2
set format y "%g"
unset label
set label 1 "p1" at screen 0.11439,0.91810 left
set label 2 "share" at screen 0.02163,0.57328 center rotate by 90
set label 3 "target utilisation" at screen 0.54266,0.12931 center
plot \
	0.5 with lines lt -1 lc rgb '#888888' dt 3 lw 1, \
	$data1 using 1:3:4 with filledcurves lc rgb '#56b4e9' fs transparent solid 0.16, \
	$data1 using 1:2 with linespoints lt 1, \
	$data2 using 1:3:4 with filledcurves lc rgb '#e69f00' fs transparent solid 0.16, \
	$data2 using 1:2 with linespoints lt 2
set lmargin at screen 0.55996
set rmargin at screen 0.97092
set bmargin at screen 0.27155
set tmargin at screen 0.87500
set xrange [0.48:1.52]
set xtics 0.2
set format x "%g"
unset arrow
set yrange [0:1.03]
set ytics 0.2
set format y ""
unset label
set label 1 "p2" at screen 0.55996,0.91810 left
plot \
	0.5 with lines lt -1 lc rgb '#888888' dt 3 lw 1, \
	$data3 using 1:3:4 with filledcurves lc rgb '#e69f00' fs transparent solid 0.16, \
	$data3 using 1:2 with linespoints lt 2, \
	$data4 using 1:3:4 with filledcurves lc rgb '#56b4e9' fs transparent solid 0.16, \
	$data4 using 1:2 with linespoints lt 3
unset border
unset tics
unset grid
unset label
unset arrow
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.09483
set xrange [0:4.62329]
set yrange [0:0.22000]
$sample1 << EOD
0.100 0.140 0.320 0.260
EOD
set label 1 "rm" at screen 0.10382,0.06034 left
$sample2 << EOD
0.803 0.140 0.320 0.963
EOD
set label 2 "fcfs" at screen 0.25586,0.06034 left
$sample3 << EOD
1.552 0.140 0.320 1.712
EOD
set label 3 "analysis" at screen 0.41785,0.06034 left
plot NaN, \
	$sample1 using 1:2:3:(0) with vectors nohead lt 1, \
	$sample1 using 4:2 with points lt 1, \
	$sample2 using 1:2:3:(0) with vectors nohead lt 2, \
	$sample2 using 4:2 with points lt 2, \
	$sample3 using 1:2:3:(0) with vectors nohead lt -1 lc rgb '#555555' dt 2 lw 1.2
unset multiplot
