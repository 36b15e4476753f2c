// tests/cli/trace_processor.mjs FOLDER FILE.pftrace SQL... - asks Perfetto's own trace processor, as WebAssembly in node.
// Prints one line of JSON for each query: its rows. No Debian package has the trace processor, so this is run by hand:
// docs/trace.md, "How it is tested". FOLDER holds trace_processor.wasm, engine_bundle.node.js (the glue to it) and
// engine.mjs (its messages).
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { pathToFileURL } from "node:url";

const [folder, trace, ...queries] = process.argv.slice(2);
const { EngineBase } = await import(pathToFileURL(path.resolve(folder, "engine.mjs")).href);

// The glue is made for a worker of a browser. It gets the program in place of an address, and hands out its bridge.
const edits = [
	["this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;"],
	["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.tp.program,"],
	["const wasmBridge = new wasm_bridge_1.WasmBridge();",
		"const wasmBridge = globalThis.tp.bridge = new wasm_bridge_1.WasmBridge();"],
];
globalThis.tp = { program: new Uint8Array(fs.readFileSync(path.join(folder, "trace_processor.wasm"))) };
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
globalThis.location = { href: pathToFileURL(path.resolve(folder)).href + "/" };
console.warn = () => {};
let glue = fs.readFileSync(path.join(folder, "engine_bundle.node.js"), "utf8");
for (const [from, to] of edits) {
	if (!glue.includes(from))
		throw new Error(`${folder}: this version of the glue lacks: ${from}`);
	glue = glue.replace(from, to);
}
vm.runInThisContext(glue);

class Engine extends EngineBase {
	mode = "WASM";
	id = "trace_processor";
	constructor(port) {
		super();
		this.port = port;
		port.onmessage = (m) => m.data instanceof Uint8Array && this.onRpcResponseBytes(m.data);
	}
	rpcSendRequestBytes(bytes) {
		this.port.postMessage(bytes);
	}
}

function plain(value) {
	return typeof value === "bigint" ? Number(value) : value;
}

function write(line) {
	for (let at = 0, bytes = Buffer.from(line + "\n"); at < bytes.length;) {
		try {
			at += fs.writeSync(1, bytes, at);
		} catch (error) {
			if (error.code !== "EAGAIN")
				throw error;
		}
	}
}

const { port1, port2 } = new MessageChannel();
globalThis.tp.bridge.initialize(port1);
const engine = new Engine(port2);
await new Promise((done) => setTimeout(done, 1500)); // the bridge does not say when it is ready
const file = fs.openSync(trace), piece = Buffer.alloc(1 << 25);
for (let n; (n = fs.readSync(file, piece)) > 0;)
	await engine.parse(new Uint8Array(piece.subarray(0, n)));
await engine.notifyEof();
for (const sql of queries) {
	const result = await engine.query(sql);
	if (result.error())
		throw new Error(result.error());
	const columns = result.columns(), rows = [];
	for (const row = result.iter({}); row.valid(); row.next())
		rows.push(Object.fromEntries(columns.map((c) => [c, plain(row.get(c))])));
	write(JSON.stringify(rows));
}
process.exit(0);
