/*
 * check_masks.mjs - kernels on some SMs: beside the schedule stands which ones they run on and wait for.
 */
import { tab } from './browser.mjs';
import { box, intervalsRead, settled, show } from './gantt_map.mjs';

export async function checkMasks(t, { page }) {
	await tab(page, 'schedule');
	await page.$eval('#gantt', (gantt) => gantt.scrollIntoView({ block: 'center' }));
	await settled(page);
	await intervalsRead(page);
	await show(page, 1, 0, 500e6);
	const { left, top, width, height } = await box(page);
	const at = async (share) => {
		await page.mouse.move(left + width * share, top + height / 2);
		await settled(page);
		return page.$eval('#queue', (queue) => queue.innerText);
	};
	const early = await at(0.25);
	t.ok(/K2 0\s*waits for SM 0–3/.test(early), 'a kernel waits for the SMs of its mask', early);
	const late = await at(0.75);
	t.ok(/K2 0\s*0 of 5 blocks to come on SM 0–3/.test(late), 'and runs on them', late);
}
