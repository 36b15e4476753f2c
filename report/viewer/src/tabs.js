/*
 * tabs.js - the parts of the page as tabs, one at a time. A recording has those tabs that have something to show; the
 * address says which one (#tab-schedule), so that a link leads to it.
 */
import { element, get } from './dom.js';

const tabs = new Map(); /* name -> { button, panel } */
const watchers = [];

/* callback(name): that tab is on the screen now. */
export const onTab = (callback) => watchers.push(callback);

const asked = () => location.hash.replace(/^#tab-/, '');

function address(name) {
	try {
		history.replaceState(null, '', `#tab-${name}`);
	} catch {
		/* a browser may refuse it for a page from a disk: then the address stays */
	}
}

/* say: the address says it, too. */
export function showTab(name, say = true) {
	if (!tabs.has(name)) return;
	for (const [one, { button, panel }] of tabs) {
		const here = one === name;
		button.setAttribute('aria-selected', String(here));
		button.tabIndex = here ? 0 : -1;
		panel.hidden = !here;
	}
	if (say) address(name);
	watchers.forEach((callback) => callback(name));
}

/* Arrows go from tab to tab, Home and End to the ends. */
function key(event) {
	const names = [...tabs.keys()];
	const here = names.findIndex((name) => tabs.get(name).button === document.activeElement);
	const next = {
		ArrowRight: (here + 1) % names.length,
		ArrowLeft: (here - 1 + names.length) % names.length,
		Home: 0,
		End: names.length - 1,
	}[event.key];
	if (here < 0 || next === undefined) return;
	event.preventDefault();
	showTab(names[next]);
	tabs.get(names[next]).button.focus();
}

/* list: [name, title, ids of the sections in it], in order; sections that are hidden make no tab. */
export function makeTabs(list) {
	const main = get('main');
	for (const [name, title, ids] of list) {
		const sections = ids.map(get);
		const panel = element('div', { id: `${name}-tab`, role: 'tabpanel', 'aria-labelledby': `tab-${name}` }, ...sections);
		main.append(panel);
		panel.hidden = true;
		if (sections.every((section) => section.hidden)) continue;
		const button = element(
			'button',
			{
				type: 'button',
				id: `tab-${name}`,
				role: 'tab',
				'aria-controls': `${name}-tab`,
				onclick: () => showTab(name),
			},
			title,
		);
		tabs.set(name, { button, panel });
		get('tabs').append(button);
	}
	get('tabs').addEventListener('keydown', key);
	addEventListener('hashchange', () => showTab(asked(), false));
	showTab(tabs.has(asked()) ? asked() : tabs.keys().next().value, false);
}
