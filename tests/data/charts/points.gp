# 3.160 x 2.030 inches
$data1 << EOD
# 
# x y
1 0.5
20 3
3e+06 4
EOD
set linetype 1 lc rgb '#0072b2' lw 1.3 dt 1 pt 7 ps 0.45
set multiplot
set lmargin at screen 0.12868
set rmargin at screen 0.95148
set bmargin at screen 0.12315
set tmargin at screen 0.96059
set xrange [0.4464285714285714:3360000.0000000005]
set logscale x
set xtics ("10^{0}" 1, "10^{1}" 10, "10^{2}" 100, "10^{3}" 1000, "10^{4}" 10000, "10^{5}" 100000, "10^{6}" 1e+06)
unset arrow
set yrange [0.4464285714285714:3360000.0000000005]
set logscale y
set ytics ("10^{0}" 1, "10^{2}" 100, "10^{4}" 10000, "10^{6}" 1e+06)
unset label
plot \
	x with lines lt -1 lc rgb '#888888' dt 3 lw 1, \
	$data1 using 1:2 with points lt 1
unset multiplot
