import { Script } from 'node:vm';
import type { MergeReply, MergeRequest } from './merge-messages.ts';
import { TemplateMerger } from './template-merger.ts';

/**
 * Entry of a merge process: one request after another. The parent kills it when a merge takes too long; should the
 * parent itself be gone by then, the time limit of the script ends it instead.
 */
const ORPHAN_GRACE_MS = 1000;
const RUN = '__trifoldMerge';

const merger = new TemplateMerger();
let current: MergeRequest | undefined;
Object.defineProperty(globalThis, RUN, { value: () => current && merger.merge(current) });
const script = new Script(`${RUN}()`);

process.on('message', (request: MergeRequest) => {
  current = request;
  reply(script.runInThisContext({ timeout: request.timeoutMs + ORPHAN_GRACE_MS }) as MergeReply);
  current = undefined;
});
process.on('disconnect', () => process.exit());
// Ctrl-C and service managers signal the whole group; what is in hand is finished first, and the parent says when.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
reply({ status: 'ready' });

function reply(message: MergeReply): void {
  process.send?.(message);
}
