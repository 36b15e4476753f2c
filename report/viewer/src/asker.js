/*
 * asker.js - talks to the worker that answers the statements of the SQL box. The worker starts with the first statement:
 * its copy of the recording takes the same memory again.
 */
/* global __WORKER__ */
import wasm from '../node_modules/sql.js/dist/sql-wasm-browser.wasm';

export class Asker {
	constructor(recording) {
		this.recording = recording;
		this.worker = null;
		this.settle = null;
	}

	begin() {
		const file = this.recording.copy();
		this.address = URL.createObjectURL(new Blob([__WORKER__], { type: 'text/javascript' }));
		this.worker = new Worker(this.address);
		this.worker.postMessage({ wasm, file }, [file.buffer]);
	}

	end() {
		this.worker?.terminate();
		this.worker = null;
		URL.revokeObjectURL(this.address);
	}

	/* { columns, rows: the first `keep` ones, count: of all, stopped }; throws what SQLite says of the statement. */
	ask(sql, params, { keep, progress }) {
		return new Promise((resolve, reject) => {
			const answer = { columns: [], rows: [], count: 0 };
			const broken = (text) => {
				this.end();
				reject(new Error(text));
			};
			if (!this.worker) this.begin();
			this.settle = (stopped) => resolve({ ...answer, stopped });
			this.worker.onerror = ({ message }) => broken(message || 'The worker of this page could not begin.');
			this.worker.onmessage = ({ data }) => {
				if (data.broken) return broken(data.error);
				if (data.error !== undefined) return reject(new Error(data.error));
				answer.columns = data.columns;
				answer.count = data.count;
				for (const row of data.rows) answer.rows.push(row);
				return data.done ? this.settle(false) : progress(data.count);
			};
			this.worker.postMessage({ sql, params, keep });
		});
	}

	/* The answer is what has come so far. */
	stop() {
		this.end();
		this.settle?.(true);
	}
}
