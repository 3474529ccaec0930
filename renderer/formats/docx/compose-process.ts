/** Entry point of a process that composes DOCX files. */
import {
  composeDocx,
  type ComposedDocx,
  type ComposeSettings,
  type IllustratedSnapshot,
  type PartName,
  type Parts,
} from './compose.ts';
import { parseSnapshot } from './snapshot-tree.ts';

/**
 * Message to the process that composes documents. A document consists of several requests: `begin`, then the JSON of
 * its snapshots in chunks (UTF-8) and their images in order, then `compose`.
 */
export type ComposeRequest =
  | { readonly kind: 'begin'; readonly settings: ComposeSettings }
  | { readonly kind: 'json'; readonly part: PartName; readonly piece: Uint8Array }
  | { readonly kind: 'picture'; readonly part: PartName; readonly png: Uint8Array }
  | { readonly kind: 'compose' };

/** Message from the process: one per request. */
export type ComposeReply =
  | { readonly status: 'received' }
  | ({ readonly status: 'composed' } & ComposedDocx)
  | { readonly status: 'failed'; readonly message: string };

interface ReceivedDocument {
  readonly settings: ComposeSettings;
  readonly parts: Map<PartName, ReceivedPart>;
}

interface ReceivedPart {
  readonly json: Uint8Array[];
  readonly pictures: Uint8Array[];
}

let current: ReceivedDocument | undefined;

async function response(request: ComposeRequest): Promise<ComposeReply> {
  try {
    return await reply(request);
  } catch (error) {
    // The message of an unknown error could quote the document.
    return { status: 'failed', message: error instanceof Error ? error.name : 'unknown' };
  }
}

async function reply(request: ComposeRequest): Promise<ComposeReply> {
  // Discards the previous document, even if it was never composed.
  if (request.kind === 'begin') current = { settings: request.settings, parts: new Map() };
  if (!current) throw new Error('no document was started');
  if (request.kind === 'json') partOf(current, request.part).json.push(request.piece);
  if (request.kind === 'picture') partOf(current, request.part).pictures.push(request.png);
  if (request.kind !== 'compose') return { status: 'received' };
  const { settings, parts } = current;
  current = undefined;
  const snapshots = Object.fromEntries(Array.from(parts, ([name, part]) => [name, parsed(part)])) as Parts;
  const { body } = snapshots;
  if (!body) throw new Error('the document has no body');
  return { status: 'composed', ...(await composeDocx({ ...snapshots, body }, settings)) };
}

function partOf({ parts }: ReceivedDocument, name: PartName): ReceivedPart {
  const part = parts.get(name) ?? { json: [], pictures: [] };
  parts.set(name, part);
  return part;
}

function parsed({ json, ...part }: ReceivedPart): IllustratedSnapshot {
  return { ...parseSnapshot(Buffer.concat(json).toString()), ...part };
}

process.on('message', (request: ComposeRequest) => {
  void response(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
// Ctrl-C and service managers signal the whole group. Finish the current document; the parent decides when to exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.send?.({ status: 'ready' });
