import { parentPort } from 'node:worker_threads';
import type { MergeReply, MergeRequest } from './merge-messages.ts';
import { TemplateMerger } from './template-merger.ts';

/** Entry of a worker thread: one request after another. */
const port = parentPort;
if (!port) throw new Error('merge-worker.ts is the entry of a worker thread');

const merger = new TemplateMerger();
const reply = (message: MergeReply) => port.postMessage(message);
port.on('message', (request: MergeRequest) => reply(merger.merge(request)));
reply({ status: 'ready' });
