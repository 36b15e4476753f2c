/*
 * figure.js - what charts share: a title, a legend whose entries switch lines on and off, and the chart as an SVG file
 * with its legend in it.
 */
import { onTheme } from './colours.js';
import { element, save } from './dom.js';
import { onlyPaper } from './looks.js';

const SVG = 'http://www.w3.org/2000/svg';
const LINE = 20; /* height of a line of the legend in a file */

function svgNode(tag, attributes, text) {
	const node = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	if (text !== undefined) node.textContent = text;
	return node;
}

function sample({ colour, dash, line }) {
	const svg = svgNode('svg', { width: 22, height: 10, 'aria-hidden': 'true' });
	if (line)
		svg.append(
			svgNode('line', {
				x1: 0,
				x2: 22,
				y1: 5,
				y2: 5,
				stroke: colour,
				'stroke-width': 2.5,
				'stroke-dasharray': dash ?? '',
			}),
		);
	else svg.append(svgNode('rect', { x: 5, y: 0, width: 11, height: 10, rx: 2, fill: colour }));
	return svg;
}

/* The legend under a chart, in rows as wide as the chart. */
function legendInto(file, series, width, top) {
	let x = 10,
		y = top + 12;
	for (const one of series) {
		const wide = 36 + one.label.length * 6.6;
		if (x + wide > width && x > 10) {
			x = 10;
			y += LINE;
		}
		const mark = sample(one);
		mark.setAttribute('x', x);
		mark.setAttribute('y', y - 5);
		file.append(mark, svgNode('text', { x: x + 28, y: y + 4, 'font-size': 12 }, one.label));
		x += wide + 12;
	}
	return y + LINE - 8;
}

/* Black on white, whatever the screen shows. */
function toFile(svg, title, series) {
	const width = Number(svg.getAttribute('width')),
		height = Number(svg.getAttribute('height'));
	const file = svgNode('svg', {
		xmlns: SVG,
		width,
		fill: '#111',
		color: '#111',
		'font-family': 'sans-serif',
	});
	const chart = svg.cloneNode(true);
	chart.setAttribute('y', 30);
	file.append(svgNode('text', { x: 10, y: 20, 'font-size': 14, 'font-weight': 600 }, title), chart);
	const total = legendInto(file, series, width, height + 34);
	file.setAttribute('height', total);
	file.setAttribute('viewBox', `0 0 ${width} ${total}`);
	file.prepend(svgNode('rect', { width, height: total, fill: '#fff' }));
	return onlyPaper(new XMLSerializer().serializeToString(file))
		.replaceAll('var(--miss)', '#c8321e')
		.replaceAll('var(--back)', '#ffffff')
		.replaceAll('var(--idle)', '#e9ecef');
}

/* series: [{ label, colour, dash, line, off }]; toggled(index) switches one, or is null. */
export function figure({ title, name, svg, series, toggled }) {
	const on = series.filter((one) => !one.off);
	const legend = element(
		'div',
		{ class: 'legend' },
		...series.map((one, i) =>
			toggled
				? element(
						'button',
						{
							type: 'button',
							class: 'key',
							'aria-pressed': String(!one.off),
							onclick: () => toggled(i),
						},
						sample(one),
						one.label,
					)
				: element('span', {}, sample(one), one.label),
		),
	);
	return element(
		'figure',
		{},
		element(
			'figcaption',
			{},
			title,
			element(
				'button',
				{
					type: 'button',
					class: 'quiet',
					onclick: () =>
						save(`${name}.svg`, toFile(svg, title, on), 'image/svg+xml'),
				},
				'Download SVG',
			),
		),
		series.length > 1 ? legend : '',
		svg,
	);
}

export const empty = (text) => element('p', { class: 'empty' }, text);

/* Plots are drawn to the width there is, again when it changes, or when the colours do. */
export function onWidth(node, draw) {
	let width = 0,
		timer = 0;
	onTheme(() => width > 0 && draw());
	new ResizeObserver(() => {
		clearTimeout(timer);
		timer = setTimeout(
			() => {
				if (Math.abs(node.clientWidth - width) < 2) return;
				width = node.clientWidth;
				draw();
			},
			width === 0 ? 0 : 120,
		);
	}).observe(node);
}
