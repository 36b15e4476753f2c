/*
 * stack.js - the place of an interval in its lane: first fit from the bottom, in order of start, so that intervals of the
 * same time do not overlap. Where there is room enough only in parts, the interval is drawn in parts.
 */

/* Room that is free, as gaps in order of place; the last one has no end. */
class Room {
	constructor() {
		this.at = [0];
		this.length = [Infinity];
	}

	/* The places of `size`: [place, size, place, size ...]. Beyond the capacity only where there is no other way. */
	take(size, capacity) {
		let free = 0;
		for (let i = 0; i < this.at.length && this.at[i] < capacity; i++) {
			if (this.length[i] >= size && this.at[i] + size <= capacity) return this.cut(i, size);
			free += Math.min(this.length[i], capacity - this.at[i]);
		}
		return free >= size ? this.takeParts(size) : this.cut(this.firstWith(size), size);
	}

	firstWith(size) {
		return this.length.findIndex((length) => length >= size);
	}

	takeParts(size) {
		const places = [];
		for (let rest = size; rest > 0;) {
			const part = Math.min(rest, this.length[0]);
			places.push(...this.cut(0, part));
			rest -= part;
		}
		return places;
	}

	cut(i, size) {
		const place = this.at[i];
		if (this.length[i] > size) {
			this.at[i] += size;
			this.length[i] -= size;
		} else {
			this.at.splice(i, 1);
			this.length.splice(i, 1);
		}
		return [place, size];
	}

	give(place, size) {
		let i = 0;
		while (i < this.at.length && this.at[i] < place) i++;
		this.at.splice(i, 0, place);
		this.length.splice(i, 0, size);
		this.join(i);
		if (i > 0) this.join(i - 1);
	}

	join(i) {
		if (i + 1 >= this.at.length || this.at[i] + this.length[i] < this.at[i + 1]) return;
		this.length[i] += this.length[i + 1];
		this.at.splice(i + 1, 1);
		this.length.splice(i + 1, 1);
	}
}

/*
 * items: { count, start, end, size, pos } in order of end. Fills pos, and gives { top, parts }: the height of the lane, and
 * for split items the parts behind the first: [item, place, size, ...] in order of item. items.size of a split item
 * becomes that of its first part.
 */
export function stack(items, capacity) {
	const { count, start, end, size, pos } = items;
	const order = new Uint32Array(count).map((_, i) => i).sort((a, b) => start[a] - start[b] || a - b);
	const room = new Room();
	const split = new Map();
	const placed = new Uint8Array(count);
	let top = 0,
		leaving = 0;
	const leave = (i) => {
		room.give(pos[i], size[i]);
		const rest = split.get(i) ?? [];
		for (let k = 0; k < rest.length; k += 2) room.give(rest[k], rest[k + 1]);
	};
	for (const i of order) {
		for (; leaving < count && end[leaving] <= start[i]; leaving++) {
			if (placed[leaving]) leave(leaving);
		}
		const places = room.take(size[i], capacity);
		[pos[i], size[i]] = places;
		if (places.length > 2) split.set(i, places.slice(2));
		for (let k = 0; k < places.length; k += 2) top = Math.max(top, places[k] + places[k + 1]);
		placed[i] = end[i] > start[i] ? 1 : 0;
		if (!placed[i]) leave(i);
	}
	const parts = [];
	for (const i of [...split.keys()].sort((a, b) => a - b)) {
		const rest = split.get(i);
		for (let k = 0; k < rest.length; k += 2) parts.push(i, rest[k], rest[k + 1]);
	}
	return { top, parts };
}
