/*
 * samples.js - response times by policy and task: of single jobs where they are recorded and not too many, else of the
 * histograms that every run has.
 */
const JOBS_MOST = 150000;

/* Sorted values with weights; total counts jobs without a response, too. */
export class Sample {
	constructor() {
		this.pairs = [];
		this.total = 0;
		this.least = Infinity; /* exact, also where pairs are of a histogram */
	}

	add(value, weight) {
		this.pairs.push([value, weight]);
	}

	sort() {
		this.pairs.sort((a, b) => a[0] - b[0]);
		this.weight = this.pairs.reduce((sum, [, weight]) => sum + weight, 0);
		return this;
	}

	get worst() {
		return this.pairs.length > 0 ? this.pairs[this.pairs.length - 1][0] : 0;
	}

	quantile(share) {
		let below = 0;
		for (const [value, weight] of this.pairs) {
			below += weight;
			if (below >= share * this.weight) return value;
		}
		return this.worst;
	}

	/* [value, share of all jobs that had responded by then], thinned to some hundred points. */
	curve(most = 500) {
		const points = [];
		const total = Math.max(this.total, this.weight);
		const every = Math.max(1, Math.floor(this.pairs.length / most));
		let below = 0;
		this.pairs.forEach(([value, weight], i) => {
			below += weight;
			if (i % every === 0 || i === this.pairs.length - 1)
				points.push([value, below / total]);
		});
		return points;
	}
}

export function fromJobs(recording) {
	const { kept, rows } = recording.meta.tables.job ?? { kept: 0, rows: 0 };
	return (
		kept > 0 &&
		kept === rows &&
		kept <= JOBS_MOST &&
		recording.value(`SELECT count(*) FROM run WHERE record = 'summary'`) === 0
	);
}

const FROM = `JOIN run r USING (run_id) JOIN task t ON t.task_id = s.task_id
	WHERE r.status <> 'error' AND (:set IS NULL OR r.taskset_id = :set)`;

/* callback([policy, platform, task, ns or null, jobs with that response, deadline or null]). */
export function eachResponse(recording, set, callback) {
	const sql = fromJobs(recording)
		? `SELECT r.policy_id, r.platform_id, t.task_idx, s.response_ns, 1, t.deadline_ns FROM job s ${FROM}`
		: `SELECT r.policy_id, r.platform_id, t.task_idx, s.upper_ns, sum(s.jobs), t.deadline_ns FROM run_task_hist s ${FROM}
			GROUP BY 1, 2, t.task_idx, t.deadline_ns, s.bucket`;
	recording.each(sql, { set }, callback);
}

/* Jobs of all kinds: callback([policy, platform, task, jobs, deadline, least, worst response in ns, each or null]). */
export function eachTotal(recording, set, callback) {
	recording.each(
		`SELECT r.policy_id, r.platform_id, t.task_idx, sum(s.jobs), t.deadline_ns, min(s.min_response_ns),
			max(s.max_response_ns) FROM run_task s ${FROM} GROUP BY 1, 2, 3, 5`,
		{ set },
		callback,
	);
}
