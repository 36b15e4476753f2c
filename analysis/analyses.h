/* analysis/analyses.h - declares the analyses for their table (analysis/analysis.c). */
#ifndef CEGSIM_ANALYSIS_ANALYSES_H
#define CEGSIM_ANALYSIS_ANALYSES_H

#include "analysis/analysis.h"

extern const struct analysis analysis_chain, analysis_fifo_chains, analysis_fifo_e1, analysis_fifo_e2,
	analysis_fifo_utilisation, analysis_fp, analysis_gcaps, analysis_mpcp, analysis_rtgpu, analysis_stgm,
	analysis_suspension, analysis_tsg_rr;

#endif
