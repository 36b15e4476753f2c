/*
 * layout.js - where what stands in a panel, in CSS pixels from top to bottom: the axis, the tasks, the lanes.
 */
export const AXIS = 26;
const GAP = 10;

const rows = (lane) => Math.max(1, Math.ceil(lane.scale));

/* The SMs take what the window leaves, within limits; `wish` is their height if somebody chose it. */
function smHeight(count, used, wish) {
	if (wish > 0) return wish;
	const most = document.fullscreenElement ? 4000 : 720;
	const room = Math.max(400, Math.min(most, innerHeight - 330 - used));
	return Math.max(5, Math.min(document.fullscreenElement ? 120 : 44, Math.floor(room / count)));
}

export function layout(store, width, wish) {
	const left = width < 700 ? 84 : 112,
		right = 12;
	const geometry = {
		left,
		width: Math.max(50, width - left - right),
		full: width,
		axis: AXIS,
		strips: [],
		lanes: [],
	};
	let y = AXIS + 2;
	const tasks = store.tasks.length;
	const strip = tasks <= 8 ? 26 : tasks <= 16 ? 20 : 14;
	store.tasks.forEach((task, i) => {
		geometry.strips.push({ task: i, y, height: strip - 3 });
		y += strip;
	});
	y += GAP;
	const blocks = store.lanes.filter((lane) => lane.blocks);
	geometry.lanesTop = y;
	for (const lane of store.lanes) {
		if (lane.blocks) continue;
		const height =
			lane.kind === 'cpu'
				? 24
				: lane.kind === 'copy'
					? 18
					: Math.min(140, Math.max(18, rows(lane) * 15));
		geometry.lanes.push({ lane, y, height });
		y += height + 3;
	}
	if (blocks.length > 0) {
		y += GAP - 3;
		const each =
			blocks[0].kind === 'pool' ? wish * 4 || 240 : smHeight(blocks.length, y - AXIS, wish);
		const gap = each >= 10 ? 2 : each >= 5 ? 1 : 0;
		for (const lane of blocks) {
			geometry.lanes.push({ lane, y, height: each - gap });
			y += each;
		}
	}
	geometry.lanesBottom = y;
	geometry.height = y + 6;
	return geometry;
}

/* The strip or lane under a height. */
export function rowAt(geometry, y) {
	const strip = geometry.strips.find((one) => y >= one.y - 1 && y < one.y + one.height + 2);
	if (strip) return { strip };
	const lane = geometry.lanes.find((one) => y >= one.y - 1 && y < one.y + one.height + 1);
	return lane ? { lane } : null;
}
