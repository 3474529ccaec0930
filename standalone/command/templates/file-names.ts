import { FileError } from '../render/read-input.ts';

/** Windows device names, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Characters that some systems do not allow in file names, and the escape character itself. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f<>:"/\\|?*%]|^[. ]|[. ]$/g;
/** File systems allow 255 bytes, including the extension. */
const MAX_BYTES = 240;
const MAX_FOLDER_LENGTH = 60;

/**
 * Returns a name as a file name that stays in its folder on every system; `nameOf` reverses it. Throws FileError for a
 * name that is too long.
 */
export function fileNameOf(name: string): string {
  const escaped = name.replaceAll(UNSAFE, escape);
  const safe = RESERVED.test(escaped) ? escaped.replace(/^./, escape) : escaped;
  if (safe !== '' && Buffer.byteLength(safe) <= MAX_BYTES) return safe;
  throw new FileError(`error: ${JSON.stringify(name)} is too long for a file name: shorten it`);
}

/** Returns the name that a file name stands for. */
export function nameOf(file: string): string {
  return file.replaceAll(/%([0-7][\dA-F])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function escape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Returns an unused folder name for a template. Throws FileError if its ID cannot be one. */
export function folderNameOf(name: string, id: string, taken: ReadonlySet<string>): string {
  const [byName, byId] = [slugOf(name), slugOf(id)];
  const free = [byName, byId, `${byName}-${byId}`].find((each) => isFolder(each) && !taken.has(each));
  if (free !== undefined) return free;
  throw new FileError(`error: ${JSON.stringify(id)} cannot be a folder name`);
}

function isFolder(slug: string): boolean {
  return /^[a-z\d]/.test(slug) && !RESERVED.test(slug);
}

/** Returns lowercase ASCII letters, digits and hyphens, which Kubernetes also allows in names. */
export function slugOf(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return letters
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, MAX_FOLDER_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
}
