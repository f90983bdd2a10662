// Prints what the trace engine of DevTools finds in a trace: node devtools.mjs TRACE MODULES.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [trace, modules] = process.argv.slice(2);
globalThis.DOMRect ??= class {
	constructor(x, y, width, height) { Object.assign(this, { x, y, width, height }); }
};
const { Processor } = await import(pathToFileURL(path.join(modules, '@paulirish/trace_engine/models/trace/trace.js')));
const engine = Processor.TraceProcessor.createWithAllHandlers();
await engine.parse(JSON.parse(fs.readFileSync(trace)).traceEvents, {});
const { Meta, Warnings } = engine.data;
const { LCPBreakdown, RenderBlocking } = [...engine.insights.values()].find((set) => set.navigation).model;
console.log(JSON.stringify({
	page: Meta.mainFrameURL,
	lcp: LCPBreakdown.lcpMs,
	firstByte: LCPBreakdown.subparts.ttfb.range / 1000,
	longTasks: Warnings.perWarning.get('LONG_TASK').length,
	blocking: RenderBlocking.renderBlockingRequests.map((r) => r.args.data.url),
}));
