/*
 * gantt_map.mjs - finds out from outside where the schedule is drawn: which pixel is which instant, and
 * where a row of the recording is. It asks the page what is under a point, as a reader does with the mouse.
 */

/* Shows a stretch of a run and waits until it is drawn. */
export async function show(page, run, from, to) {
	await page.evaluate((run, from, to) => window.cegsim.gantt.show(run, from, to), run, from, to);
	return settled(
		page,
		(view) =>
			view.run === run &&
			Math.abs(view.from_ns - from) <= 1 &&
			Math.abs(view.to_ns - to) <= 1,
	);
}

/*
 * The view when it is as `wanted` says and has not changed for a frame; or when it has not changed for so
 * many frames that it will not change any more. Frames are counted, not seconds: a slow machine draws
 * fewer.
 */
export async function settled(page, wanted = () => true) {
	let before = '';
	let frames = 0;
	for (;;) {
		const view = await page.evaluate(
			() =>
				new Promise((done) =>
					requestAnimationFrame(() =>
						setTimeout(() => {
							const { run, from_ns, to_ns, mode } =
								window.cegsim.gantt.view();
							done({ run, from_ns, to_ns, mode });
						}),
					),
				),
		);
		const now = JSON.stringify(view);
		frames = now === before ? frames + 1 : 0;
		if (frames >= (wanted(view) ? 1 : 12)) return view;
		before = now;
	}
}

/* Waits until the intervals of the run have been read. */
export function intervalsRead(page) {
	return page.waitForFunction(
		() =>
			!/^Reading/.test(document.querySelector('#gantt-said').textContent.trim()) ||
			document.querySelector('#gantt-said').hidden,
		{ polling: 50 },
	);
}

/* In the page: {what at() says as text: [[x, y], ...]} for points along a line. */
function probe(points) {
	return points.map(([x, y]) => window.cegsim.gantt.at(x, y));
}

export const under = (page, points) => page.evaluate(probe, points);

export function box(page) {
	return page.evaluate(() => {
		const { left, top, width, height } = document.querySelector('#gantt').getBoundingClientRect();
		return { left, top, width, height };
	});
}

/* Points of a vertical line, every half pixel. */
export const column = (x, height) => [...Array(Math.floor(height * 2)).keys()].map((step) => [x, step / 2]);

/*
 * The scale: {left, width} of the time axis in pixels of the canvas. `row` is an interval on the CPU of
 * `run`. It is shown once in the middle, and once almost as wide as the picture, to find its edges.
 */
export async function scale(page, run, row) {
	const { width, height } = await box(page);
	const same = (item) =>
		item?.kind === 'segment' && item.start_ns === row.start_ns && item.end_ns === row.end_ns;
	const long = row.end_ns - row.start_ns;
	const edges = async (margin) => {
		await show(page, run, row.start_ns - margin * long, row.end_ns + margin * long);
		const middle = (await under(page, column(width / 2, height))).findIndex(same) / 2;
		if (middle < 0) throw new Error('the interval is not where it should be');
		const line = [...Array(Math.floor(width * 4)).keys()].map((step) => [step / 4, middle + 1]);
		const hits = (await under(page, line))
			.map((item, step) => (same(item) ? step / 4 : -1))
			.filter((x) => x >= 0);
		return [hits[0], hits[hits.length - 1]];
	};
	// Shown three times as long as it is, and 1.02 times: edges at 1/3 and 2/3, and at 1/102 and 101/102.
	const [near, far] = [await edges(1), await edges(0.01)];
	const axis = (far[1] - far[0]) * 1.02;
	return {
		left: far[0] - axis * (0.01 / 1.02),
		width: axis,
		off: Math.abs(near[1] - near[0] - axis / 3),
	};
}

/* The pixel of an instant. */
export const pixel = (map, view, ns) =>
	map.left + ((ns - view.from_ns) / (view.to_ns - view.from_ns)) * map.width;
export const instant = (map, view, x) =>
	view.from_ns + ((x - map.left) / map.width) * (view.to_ns - view.from_ns);
