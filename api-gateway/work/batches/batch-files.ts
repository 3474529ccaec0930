import { create as attachment } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { batchItemKey, extensionOf, type DocumentFormat } from '@trifold/crds';
import { batchStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import { batchItemName } from '@trifold/platform/records/documents/accepted-work.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { expired } from '../work-repository.ts';
import { numberedFilename, safeFilename } from '../documents/filename.ts';
import { assertCompleted, type SentFile } from '../documents/download.ts';
import type { StoredBatch, StoredItem } from './batches.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

/** Format of `:index` in a path: digits without a sign or leading zeros, as the batch itself writes it. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** Returns an item by its index in a path. Throws ApiError `document_not_found` if the batch has no such item. */
export function itemAt({ id, total, items }: StoredBatch, index: string): StoredItem {
  const item = INDEX.test(index) ? items[Number(index)] : undefined;
  if (item) return item;
  const message = `The batch ${id} has no item ${JSON.stringify(index)}; its items are 0 to ${total - 1}.`;
  throw new ApiError('document_not_found', message);
}

/** Returns the file of an item. Throws ApiError `not_ready` or `generation_failed` (409) if it does not exist. */
export function itemFile(batch: StoredBatch, item: StoredItem): SentFile {
  const { id, format } = batch;
  assertCompleted(`Item ${item.index}`, item, batchStatusPath(id));
  const key = itemFileKey(batch, item);
  return { id: batchItemName(id, item.index), key, format, filename: filenameOf(batch, item) };
}

/**
 * Sends the files of a finished batch as one archive; HEAD gets only the headers. Failed items are omitted. Throws
 * ApiError `not_ready` (409) or `generation_failed` (422, when every item failed). A read error breaks the connection,
 * so a completed archive is always intact.
 */
export async function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  batch: StoredBatch,
  store: ObjectStore,
): Promise<FastifyReply> {
  const { id, format, createdAt } = batch;
  const [first, ...others] = completedItems(batch);
  if (request.method === 'GET') await reply.openDownload();
  // Check now: once the body has started, an error can only break the connection.
  if (!(await store.head(itemFileKey(batch, first)))) throw expired('batch', id);
  const items = [first, ...others];
  const names = archiveNames(
    items.map((item) => filenameOf(batch, item)),
    format,
  );
  const entries = items.map((item, index) => ({ name: names[index] ?? '', ...fileOf(store, batch, item) }));
  const { body, size } = zipStream(entries, new Date(createdAt));
  reply.headers({
    'content-type': 'application/zip',
    'content-disposition': attachment(`${id}.zip`),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    ...(size !== undefined && { 'content-length': String(size) }),
  });
  if (request.method === 'GET') return reply.send(body);
  body.destroy();
  return reply.send();
}

function completedItems({ id, status, items, error }: StoredBatch): [StoredItem, ...StoredItem[]] {
  if (status !== 'failed') assertCompleted('The batch', { status, error }, batchStatusPath(id));
  const [first, ...others] = items.filter((item) => item.status === 'completed');
  if (first) return [first, ...others];
  const reason = error ?? items[0]?.error;
  const why = reason ? `: ${reason.message}` : '.';
  throw new ApiError('generation_failed', `No item in the batch could be generated${why}`, {
    statusCode: 422,
  });
}

function fileOf(store: ObjectStore, batch: StoredBatch, item: StoredItem): Omit<ZipEntry, 'name'> {
  return {
    size: item.result?.size,
    async open() {
      const object = await store.get(itemFileKey(batch, item));
      if (!object) throw expired('document', batchItemName(batch.id, item.index));
      return object.body;
    },
  };
}

function itemFileKey({ id, itemsPrefix }: StoredBatch, { index }: StoredItem): string {
  if (itemsPrefix === undefined) throw expired('document', batchItemName(id, index));
  return batchItemKey(itemsPrefix, index);
}

/**
 * The name from the request, or else `bat-…-07.pdf`: indexes are zero-padded so that names sort in item order.
 */
function filenameOf({ id, total, format }: StoredBatch, { index, filename = '' }: StoredItem): string {
  const safe = safeFilename(filename, format);
  if (safe !== undefined) return safe;
  const digits = String(total - 1).length;
  return `${id}-${String(index).padStart(digits, '0')}${extensionOf(format)}`;
}

/** Characters that Windows does not allow in a file name. */
const RESERVED = /[<>:"|?*]/g;
/** Windows device names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *\./i;

/**
 * Returns names for the files in an archive that are unique even on case-insensitive systems. A name that is taken gets
 * a number; characters that Windows does not allow become `_`, and a reserved name is prefixed with `_`. `names` are
 * safe and have the extension of `format`.
 */
export function archiveNames(names: readonly string[], format: DocumentFormat): string[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const wanted = allowedName(name, format);
    const base = folded(wanted);
    let free = wanted;
    let number = numbers.get(base) ?? 1;
    while (taken.has(folded(free))) free = numberedFilename(wanted, ++number, format);
    numbers.set(base, number);
    taken.add(folded(free));
    return free;
  });
}

function allowedName(name: string, format: DocumentFormat): string {
  const allowed = name.replace(RESERVED, '_');
  return (DEVICE.test(allowed) && safeFilename(`_${allowed}`, format)) || allowed;
}

/** Windows and macOS ignore case; macOS also ignores how accents are encoded. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
