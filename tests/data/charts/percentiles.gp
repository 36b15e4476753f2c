# 3.400 x 2.400 inches
$data1 << EOD
# rm
# place half-width least q1 median q3 p99 greatest
-0.2 0.15384615384615385 1 2 3 5 9 400 # t1
EOD
$data2 << EOD
# fcfs
# place half-width least q1 median q3 p99 greatest
0.2 0.15384615384615385 1 1 1 1 1 1 # t1
EOD
set linetype 1 lc rgb '#56b4e9' lw 1.3 dt 1 pt 5 ps 0.45
set linetype 2 lc rgb '#e69f00' lw 1.3 dt 1 pt 15 ps 0.45
set multiplot
set lmargin at screen 0.11960
set rmargin at screen 0.96471
set bmargin at screen 0.26250
set tmargin at screen 0.96667
set xrange [-0.5:0.5]
set xtics ("" 0)
set grid noxtics
set yrange [0.8928571428571428:448.00000000000006]
set logscale y
set ytics ("1" 1, "10" 10, "100" 100)
unset label
set label 10 "t1" at screen 0.54215,0.21250 center
plot \
	$data1 using 1:3:(0):($8-$3) with vectors nohead lt -1 lc rgb '#56b4e9' lw 0.8, \
	$data1 using 1:4:(0):($6-$4) with vectors nohead lt -1 lc rgb '#56b4e9' lw 4, \
	$data1 using ($1-$2*0.6):8:($2*1.2):(0) with vectors nohead lt -1 lc rgb '#56b4e9' lw 0.8, \
	$data1 using 1:7 with points lt -1 lc rgb '#56b4e9' pt 5 ps 0.45, \
	$data1 using 1:5 with points lt -1 lc rgb '#56b4e9' pt 7 ps 0.4, \
	$data1 using 1:5 with points lt -1 lc rgb '#ffffff' pt 7 ps 0.25, \
	$data2 using 1:3:(0):($8-$3) with vectors nohead lt -1 lc rgb '#e69f00' lw 0.8, \
	$data2 using 1:4:(0):($6-$4) with vectors nohead lt -1 lc rgb '#e69f00' lw 4, \
	$data2 using ($1-$2*0.6):8:($2*1.2):(0) with vectors nohead lt -1 lc rgb '#e69f00' lw 0.8, \
	$data2 using 1:7 with points lt -1 lc rgb '#e69f00' pt 15 ps 0.45, \
	$data2 using 1:5 with points lt -1 lc rgb '#e69f00' pt 7 ps 0.4, \
	$data2 using 1:5 with points lt -1 lc rgb '#ffffff' pt 7 ps 0.25
unset border
unset tics
unset grid
unset label
unset arrow
unset logscale
set lmargin at screen 0.00000
set rmargin at screen 1.00000
set bmargin at screen 0.00000
set tmargin at screen 0.15833
set xrange [0:3.40000]
set yrange [0:0.38000]
$sample1 << EOD
0.100 0.300 0.220 0.210
EOD
set label 1 "rm" at screen 0.11176,0.12500 left
$sample2 << EOD
0.841 0.300 0.220 0.951
EOD
set label 2 "fcfs" at screen 0.32970,0.12500 left
$sample3 << EOD
2.085 0.300 0.220 2.195
EOD
set label 3 "quartiles" at screen 0.69554,0.12500 left
$sample4 << EOD
0.100 0.140 0.220 0.210
EOD
set label 4 "99 %" at screen 0.11176,0.05833 left
$sample5 << EOD
0.841 0.140 0.220 0.951
EOD
set label 5 "least to worst" at screen 0.32970,0.05833 left
plot NaN, \
	$sample1 using 4:2 with points lt 1, \
	$sample2 using 4:2 with points lt 2, \
	$sample3 using 4:($2-0.05):(0):(0.1) with vectors nohead lt -1 lc rgb '#555555' lw 4, \
	$sample3 using 4:2 with points lt -1 lc rgb '#ffffff' pt 7 ps 0.25, \
	$sample4 using 4:2 with points lt -1 lc rgb '#555555' pt 7 ps 0.45, \
	$sample5 using 4:($2-0.05):(0):(0.1) with vectors nohead lt -1 lc rgb '#555555' lw 0.8
unset multiplot
