/*
 * page.mjs - tests the page of `cegsim view` as its reader uses it, in a real browser: what it shows and
 * computes is compared with `cegsim query`. The test relies on what the page promises
 * (report/viewer/README.md), not on how it is written.
 *
 *     CEGSIM=build/cli/cegsim node tests/browser/page.mjs [NAME...]     only the pages of these names (quick, ...)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, start } from './browser.mjs';
import { checkAccess, checkNarrow, checkToolbar } from './check_access.mjs';
import { checkAcceptance, checkNoAcceptance, checkResponses } from './check_charts.mjs';
import { checkColours } from './check_colours.mjs';
import { checkContexts } from './check_contexts.mjs';
import { checkMasks } from './check_masks.mjs';
import { checkCut, checkDetail } from './check_detail.mjs';
import { checkChains, checkChainsPhone, checkNoChains } from './check_chains.mjs';
import { checkCompare } from './check_compare.mjs';
import { checkPhone } from './check_phone.mjs';
import { checkFlights, checkGpuPower } from './check_flights.mjs';
import { checkFamilies } from './check_families.mjs';
import { checkQueue } from './check_queue.mjs';
import { checkGantt, checkMisses } from './check_gantt.mjs';
import { checkBroken, checkLoad, checkRequests, quiet } from './check_load.mjs';
import { checkNumbers } from './check_numbers.mjs';
import { checkConsole, checkLevels } from './check_console.mjs';
import { checkOverheads } from './check_overheads.mjs';
import { checkRecorded, checkRecordedPhone } from './check_recorded.mjs';
import { checkStack, checkStackDetail } from './check_stack.mjs';
import { checkTabs } from './check_tabs.mjs';
import { checkTables } from './check_tables.mjs';
import { checkVerdicts } from './check_verdicts.mjs';
import { checkVariants } from './check_variants.mjs';
import { checkWarpNames, checkWarps } from './check_warps.mjs';
import { checkWhy, checkWhyCut, checkWhyMissed } from './check_why.mjs';
import { make } from './recordings.mjs';
import { Tap } from './tap.mjs';

const CHECKS = {
	quick: [checkTabs, checkPhone, checkAccess, checkGantt, checkWhy, checkTables, checkNoAcceptance, checkResponses],
	summary: [checkTabs, checkLevels, checkTables, checkNoAcceptance, checkResponses],
	policies: [checkTabs, checkColours, checkQueue, checkMisses, checkWhyMissed, checkTables, checkResponses, checkCompare],
	warps: [checkTabs, checkWarps, checkWarpNames, checkToolbar, checkTables],
	"odd ' name & ü": [checkTabs, checkGantt, checkQueue, checkMisses, checkWhy, checkWhyMissed, checkConsole, checkTables, checkResponses],
	many: [checkTabs, checkDetail, checkStackDetail, checkMisses, checkTables],
	costly: [checkOverheads, checkQueue, checkWhy],
	wide: [checkTabs, checkNoChains, checkStack, checkCompare],
	chains: [checkTabs, checkChains, checkChainsPhone, checkTables],
	campaign: [checkTabs, checkColours, checkTables, checkAcceptance, checkResponses],
	verdicts: [checkTabs, checkVerdicts],
	recorded: [checkTabs, checkRecorded, checkRecordedPhone, checkAccess, checkToolbar, checkCompare],
	families: [checkTabs, checkFamilies],
	boards: [checkVariants],
	'boards-campaign': [checkVariants],
	cut: [checkCut, checkWhyCut],
	few: [checkCut, checkWhyCut],
	contexts: [checkTabs, checkContexts, checkQueue, checkTables],
	masks: [checkMasks, checkQueue],
	flights: [checkTabs, checkFlights, checkQueue, checkTables],
	gpus: [checkGpuPower, checkQueue],
};

const t = new Tap();
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'cegsim-pages-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let pages;
await t.part('recordings and pages', async () => {
	pages = await make(folder);
});
const started = await start();
for (const [name, recording] of pages ?? []) {
	if (wanted.length && !wanted.includes(name)) continue;
	await t.part(name, async () => {
		const opened = await open(started, recording.html);
		await checkLoad(t, opened, recording);
		for (const check of [...(recording.cut ? [] : [checkNumbers]), ...CHECKS[name], checkNarrow])
			await t.part(`${name}, ${check.name}`, () => check(t, opened, recording, started));
		quiet(t, opened, `${name}, in the end`);
		if (name === 'quick') await checkRequests(t, opened);
		await opened.page.close();
	});
}
if (pages && !wanted.length)
	await t.part('broken pages', () =>
		checkBroken(t, started, pages.get('quick'), join(folder, 'broken.html')),
	);
await started.close();
t.finish();
