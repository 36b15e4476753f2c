# 2.309 x 4.020 inches
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
set multiplot
set lmargin at screen 0.11068
set rmargin at screen 0.93360
set bmargin at screen 0.57960
set tmargin at screen 0.92786
set xrange [0:10]
set xtics 2
set format x "%g"
set yrange [0:5.2]
set ytics 1
set format y "%g"
unset label
set label 1 "a" at screen 0.11068,0.95274 left
set label 3 "time (ms)" at screen 0.52214,0.02488 center
plot \
	$data1 using 1:2 with steps lt 1
set lmargin at screen 0.11068
set rmargin at screen 0.93360
set bmargin at screen 0.10945
set tmargin at screen 0.45771
set xrange [0:100]
set xtics 20
set format x "%g"
set yrange [0:5.2]
set ytics 1
set format y "%g"
unset label
set label 1 "b" at screen 0.11068,0.48259 left
plot \
	$data2 using 1:2 with steps lt 1
unset multiplot
