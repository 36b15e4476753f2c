/*
 * sheet.js - on a phone there is no room beside the schedule, and a note at the finger would be under the hand: what was
 * tapped, and who runs and waits at that instant, is in a sheet at the bottom. Its handle opens and closes it.
 */
import { get } from '../dom.js';
import { describe, showHover } from './hover.js';

const SWIPE = 24; /* pixels after which a finger on the handle pulls */

const phone = matchMedia('(max-width: 600px)');

const isOpen = () => get('sheet').classList.contains('open');

function open(yes) {
	get('sheet').classList.toggle('open', yes);
	get('sheet-handle').setAttribute('aria-expanded', String(yes));
}

/* What is under the pointer: beside it, or in the sheet. tapped: it was chosen, not passed over. */
export function showFound(found, event, tapped) {
	if (!phone.matches) {
		showHover(get('hover'), found, event.clientX, event.clientY);
		return;
	}
	get('hover').hidden = true;
	get('sheet-found').replaceChildren(...(found ? describe(found) : []));
	get('sheet-title').textContent = found ? describe(found)[0].textContent : 'Nothing here';
	if (tapped && found) open(true);
}

export function connectSheet() {
	const handle = get('sheet-handle');
	let from = null,
		pulled = false;
	handle.addEventListener('pointerdown', (event) => {
		from = event.clientY;
		pulled = false;
		handle.setPointerCapture(event.pointerId);
	});
	handle.addEventListener('pointerup', (event) => {
		const down = event.clientY - from;
		if (Math.abs(down) < SWIPE) return;
		pulled = true;
		open(down < 0);
	});
	handle.addEventListener('click', () => {
		if (!pulled) open(!isOpen());
		pulled = false;
	});
	get('sheet').addEventListener('keydown', (event) => {
		if (event.key === 'Escape') open(false);
	});
}
