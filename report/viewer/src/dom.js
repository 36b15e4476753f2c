/*
 * dom.js - elements: found, made, and filled with text (never with markup: names in a recording are anybody's); files
 * to keep.
 */
export const get = (id) => document.getElementById(id);

export function save(name, content, type) {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function element(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
		else if (value === true) node.setAttribute(name, '');
		else if (value !== false && value !== null && value !== undefined)
			node.setAttribute(name, value);
	}
	node.append(...children);
	return node;
}

/* A labelled select: options are [value, text]. */
export function choice(label, options, value, changed) {
	const select = element(
		'select',
		{ onchange: () => changed(select.value) },
		...options.map(([key, text]) =>
			element('option', { value: key, selected: key === value }, text),
		),
	);
	return element('label', {}, `${label} `, select);
}
