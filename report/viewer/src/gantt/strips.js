/*
 * strips.js - a strip for each task: releases (arrows up), deadlines (arrows down), jobs from their release to their
 * end, misses with a cross. Where jobs are too close for arrows, the strip shows where jobs are and where misses are.
 */
import { taskColour } from '../colours.js';
import { firstWhere } from './search.js';

const ARROWS_FROM = 16; /* pixels that a job must have on average for its arrows */

/* [first, behind the last] of the jobs of which something can be seen. */
export function visibleJobs(jobs, from, to) {
	const bound = (value) => firstWhere(jobs.count, (i) => jobs.release[i] >= value);
	return [bound(from - jobs.longest), bound(to)];
}

export function drawStrip(context, jobs, task, box, view, colours) {
	const [low, high] = visibleJobs(jobs, view.from, view.to);
	const x = (t) => box.left + ((t - view.from) / (view.to - view.from)) * box.width;
	context.save();
	context.beginPath();
	context.rect(box.left, box.y, box.width, box.height);
	context.clip();
	if ((high - low) * ARROWS_FROM > box.width)
		drawDense(context, jobs, low, high, task, box, x, colours);
	else drawJobs(context, jobs, low, high, task, box, x, colours);
	context.restore();
	return high - low;
}

function drawDense(context, jobs, low, high, task, box, x, colours) {
	const taken = new Uint8Array(Math.ceil(box.width) + 1),
		missed = new Uint8Array(Math.ceil(box.width) + 1);
	const limit = (px) => Math.max(0, Math.min(Math.floor(box.width), Math.floor(px - box.left)));
	for (let i = low; i < high; i++) {
		taken.fill(1, limit(x(jobs.release[i])), limit(x(jobs.end[i])) + 1);
		if (jobs.outcome[i] & 4) missed[limit(x(jobs.deadline[i]))] = 1;
	}
	columns(context, taken, box, taskColour(task, 0.55), box.y + box.height * 0.42, box.height * 0.46);
	columns(context, missed, box, colours.miss, box.y + 2, box.height - 4);
}

function columns(context, flags, box, colour, y, height) {
	context.fillStyle = colour;
	for (let i = 0; i < flags.length; i++) {
		if (!flags[i]) continue;
		let end = i;
		while (end < flags.length && flags[end]) end++;
		context.fillRect(box.left + i, y, end - i, height);
		i = end;
	}
}

function drawJobs(context, jobs, low, high, task, box, x, colours) {
	const top = box.y + box.height * 0.42,
		height = Math.max(3, box.height * 0.46);
	for (let i = low; i < high; i++) {
		const released = x(jobs.release[i]),
			ended = x(jobs.end[i]);
		context.fillStyle = taskColour(task, 0.3);
		context.fillRect(released, top, Math.max(1, ended - released), height);
		const begun = Number.isNaN(jobs.start[i]) ? null : x(jobs.start[i]);
		if (begun !== null) {
			context.fillStyle = taskColour(task, 0.95);
			context.fillRect(
				begun,
				top + height * 0.22,
				Math.max(1, ended - begun),
				height * 0.56,
			);
		}
		if (jobs.outcome[i] & 4)
			drawLate(context, x(jobs.deadline[i]), ended, top, height, colours);
	}
	for (let i = low; i < high; i++) {
		arrow(context, x(jobs.release[i]), box, true, colours.text);
		if (!Number.isNaN(jobs.deadline[i]))
			arrow(
				context,
				x(jobs.deadline[i]),
				box,
				false,
				jobs.outcome[i] & 4 ? colours.miss : colours.dim,
			);
		if (jobs.outcome[i] & 4)
			cross(
				context,
				x(
					Math.max(
						jobs.deadline[i],
						Number.isNaN(jobs.finish[i]) ? 0 : jobs.finish[i],
					),
				),
				top + height / 2,
				box,
				colours,
			);
	}
}

function drawLate(context, from, to, top, height, colours) {
	context.fillStyle = colours.miss;
	context.globalAlpha = 0.85;
	context.fillRect(from, top + height * 0.22, Math.max(1, to - from), height * 0.56);
	context.globalAlpha = 1;
}

function cross(context, x, y, box, colours) {
	const size = Math.min(4.5, box.height * 0.2);
	for (const [colour, line] of [
		[colours.back, 4.5],
		[colours.miss, 2],
	]) {
		context.strokeStyle = colour;
		context.lineWidth = line;
		context.beginPath();
		context.moveTo(x - size, y - size);
		context.lineTo(x + size, y + size);
		context.moveTo(x - size, y + size);
		context.lineTo(x + size, y - size);
		context.stroke();
	}
}

function arrow(context, x, box, up, colour) {
	if (x < box.left - 4 || x > box.left + box.width + 4) return;
	const at = Math.round(x) + 0.5;
	const high = box.y + 2,
		low = box.y + box.height - 1;
	const tip = up ? high : low,
		sign = up ? 1 : -1;
	const head = Math.min(5, box.height * 0.25);
	context.strokeStyle = context.fillStyle = colour;
	context.lineWidth = 1;
	context.beginPath();
	context.moveTo(at, high);
	context.lineTo(at, low);
	context.stroke();
	context.beginPath();
	context.moveTo(at, tip);
	context.lineTo(at - head * 0.6, tip + sign * head);
	context.lineTo(at + head * 0.6, tip + sign * head);
	context.fill();
}
