/*
 * picture.js - the schedule, both runs if there are two, as a PNG file: what the canvases show now.
 */
import { save } from '../dom.js';

export function savePicture(panels, name) {
	const canvases = [panels[0].canvas, ...panels.map((panel) => panel.power)];
	const whole = document.createElement('canvas');
	whole.width = Math.max(...canvases.map((canvas) => canvas.width));
	whole.height = canvases.reduce((sum, canvas) => sum + canvas.height, 0);
	const context = whole.getContext('2d');
	context.fillStyle = panels[0].colours.back;
	context.fillRect(0, 0, whole.width, whole.height);
	let y = 0;
	for (const canvas of canvases) {
		context.drawImage(canvas, 0, y);
		y += canvas.height;
	}
	whole.toBlob((blob) => save(name, blob, 'image/png'));
}
