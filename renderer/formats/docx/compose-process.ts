/** Entry of a process that composes DOCX files. */
import { composeDocx, type IllustratedSnapshot } from './compose.ts';
import type { ComposeReply, ComposeRequest, ComposeSettings, PartName } from './compose-messages.ts';
import { parseSnapshot } from './snapshot-tree.ts';

/** The parts of a document that have arrived. */
interface ReceivedDocument {
  readonly settings: ComposeSettings;
  readonly parts: Map<PartName, { readonly json: Uint8Array[]; readonly pictures: Uint8Array[] }>;
}

let current: ReceivedDocument | undefined;

async function answer(request: ComposeRequest): Promise<ComposeReply> {
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
  if (!current) throw new Error('no document was begun');
  if (request.kind === 'json') partOf(current, request.part).json.push(request.piece);
  if (request.kind === 'picture') partOf(current, request.part).pictures.push(request.png);
  if (request.kind !== 'compose') return { status: 'received' };
  const { settings, parts } = current;
  current = undefined;
  const [body, header, footer] = [parts.get('body'), parts.get('header'), parts.get('footer')].map(parsed);
  if (!body) throw new Error('the document has no body');
  return { status: 'composed', file: await composeDocx({ body, header, footer }, settings) };
}

function partOf({ parts }: ReceivedDocument, name: PartName) {
  const part = parts.get(name) ?? { json: [], pictures: [] };
  parts.set(name, part);
  return part;
}

function parsed(part?: ReturnType<typeof partOf>): IllustratedSnapshot | undefined {
  return part && { ...parseSnapshot(Buffer.concat(part.json).toString()), pictures: part.pictures };
}

process.on('message', (request: ComposeRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
// Ctrl-C and service managers signal the whole group. Finish the current document; the parent decides when to exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.send?.({ status: 'ready' });
