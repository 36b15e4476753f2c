# 2.309 x 5.880 inches
$data1 << EOD
# a
# x y
0 3
10 5
EOD
$data2 << EOD
# b
# x y
0 2
100 2
EOD
$data3 << EOD
# c
# x y
0 1
1 1
EOD
set linetype 1 lc rgb '#0072b2' lw 1.3 dt 1 pt 7 ps 0.45
set multiplot
set lmargin at screen 0.11068
set rmargin at screen 0.93360
set bmargin at screen 0.71259
set tmargin at screen 0.95068
set xrange [0:12]
set xtics 2
set format x "%g"
set arrow 1 from 12,graph 0 to 12,graph 1 nohead back lt -1 lc rgb '#888888' dt 3 lw 1
set yrange [0:5.2]
set ytics 1
set format y "%g"
unset label
set label 1 "a" at screen 0.11068,0.96769 left
set label 3 "time (ms)" at screen 0.52214,0.01361 center
plot \
	$data1 using 1:2 with steps lt 1
set lmargin at screen 0.11068
set rmargin at screen 0.93360
set bmargin at screen 0.39116
set tmargin at screen 0.62925
set xrange [0:100]
set xtics 20
set format x "%g"
set arrow 1 from 12,graph 0 to 12,graph 1 nohead back lt -1 lc rgb '#888888' dt 3 lw 1
set yrange [0:5.2]
set ytics 1
set format y "%g"
unset label
set label 1 "b" at screen 0.11068,0.64626 left
plot \
	$data2 using 1:2 with steps lt 1
set lmargin at screen 0.11068
set rmargin at screen 0.93360
set bmargin at screen 0.06973
set tmargin at screen 0.30782
set xrange [0:1]
set xtics 1
set format x "%g"
unset arrow
set yrange [0:5.2]
set ytics 1
set format y "%g"
unset label
set label 1 "c" at screen 0.11068,0.32483 left
plot \
	$data3 using 1:2 with steps lt 1
unset multiplot
