/*
 * input.js - mouse, touch and keys over a panel, as moves of the view and of the cursor.
 */
export function listen(canvas, actions) {
	canvas.addEventListener('wheel', (event) => wheel(event, actions), { passive: false });
	touch(canvas, actions);
	/* A finger that was lifted has not left: what it tapped stays. */
	canvas.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && actions.leave());
	canvas.addEventListener('dblclick', (event) => actions.zoom(0.25, event.offsetX));
	canvas.addEventListener('keydown', (event) => {
		if (!event.ctrlKey && !event.metaKey && !event.altKey && key(event, actions))
			event.preventDefault();
	});
}

/* Without a key the wheel scrolls the page. A pinch on a touchpad comes as a wheel with Ctrl. */
function wheel(event, actions) {
	const zooms = event.ctrlKey || event.metaKey;
	const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
	const sideways = event.shiftKey
		? event.deltaX || event.deltaY
		: Math.abs(event.deltaX) > Math.abs(event.deltaY)
			? event.deltaX
			: 0;
	if (!zooms && sideways === 0) return;
	event.preventDefault();
	if (!zooms) actions.pan(sideways * unit);
	else
		actions.zoom(
			Math.exp(Math.max(-240, Math.min(240, event.deltaY * unit)) * 0.0022),
			event.offsetX,
		);
}

/* A mouse that drags is one finger. */
function touch(canvas, actions) {
	const touching = new Map();
	let moved = 0,
		grip = null;

	canvas.addEventListener('pointerdown', (event) => {
		if (event.button !== 0) return;
		canvas.setPointerCapture(event.pointerId);
		touching.set(event.pointerId, event.offsetX);
		if (touching.size === 1) moved = 0;
		grip = pair(touching);
		canvas.focus({ preventScroll: true });
	});
	canvas.addEventListener('pointermove', (event) => {
		if (!touching.has(event.pointerId)) {
			actions.point(event.offsetX, event.offsetY, event);
			return;
		}
		const before = touching.get(event.pointerId);
		touching.set(event.pointerId, event.offsetX);
		const now = pair(touching);
		if (now && grip) {
			moved = Infinity;
			actions.zoom(grip.apart / now.apart, now.middle);
			actions.pan(grip.middle - now.middle);
			grip = now;
		} else {
			moved += Math.abs(event.offsetX - before);
			canvas.classList.toggle('drag', moved > 3);
			actions.pan(before - event.offsetX);
			actions.point(event.offsetX, event.offsetY, event);
		}
	});
	const release = (event) => {
		if (!touching.delete(event.pointerId)) return;
		grip = pair(touching);
		canvas.classList.remove('drag');
		if (moved <= 3 && event.type === 'pointerup') actions.click(event.offsetX, event.offsetY, event);
	};
	canvas.addEventListener('pointerup', release);
	canvas.addEventListener('pointercancel', release);
}

/* Two fingers: their middle, and how far they are apart. */
function pair(touching) {
	if (touching.size !== 2) return null;
	const [a, b] = [...touching.values()];
	return { middle: (a + b) / 2, apart: Math.max(10, Math.abs(a - b)) };
}

function key(event, actions) {
	const step = event.shiftKey ? 400 : 80;
	const keys = {
		ArrowLeft: () => actions.pan(-step),
		ArrowRight: () => actions.pan(step),
		ArrowUp: () => actions.zoom(0.7, null),
		ArrowDown: () => actions.zoom(1 / 0.7, null),
		'+': () => actions.zoom(0.7, null),
		'=': () => actions.zoom(0.7, null),
		'-': () => actions.zoom(1 / 0.7, null),
		Home: () => actions.whole(),
		n: () => actions.miss(1),
		p: () => actions.miss(-1),
		f: () => actions.full(),
		Escape: () => actions.release(),
	};
	const act = keys[event.key];
	if (act) act();
	return Boolean(act);
}
