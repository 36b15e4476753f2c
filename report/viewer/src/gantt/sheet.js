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
	let from = null;
	handle.addEventListener('pointerdown', (event) => {
		from = event.clientY;
		handle.setPointerCapture(event.pointerId);
	});
	handle.addEventListener('pointerup', (event) => {
		if (from === null) return;
		const down = event.clientY - from;
		open(Math.abs(down) < SWIPE ? !isOpen() : down < 0);
		from = null;
	});
	/* A click of the pointer has been answered above; one of a key has no detail. */
	handle.addEventListener('click', (event) => event.detail === 0 && open(!isOpen()));
	get('sheet').addEventListener('keydown', (event) => {
		if (event.key === 'Escape') open(false);
	});
}
