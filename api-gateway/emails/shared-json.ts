/** Texts from this length on are encoded once, however often the value has them. Characters. */
const LONG = 1000;

/**
 * The value as JSON in UTF-8, as `JSON.stringify` has it. A long text that is there several times, as the html of an
 * email is once a provider, is encoded once. For plain values: objects, lists, texts, numbers, booleans and null.
 */
export function sharedJson(value: object): Buffer {
  const pieces: Buffer[] = [];
  const encoded = new Map<string, Buffer>();
  let short = '';

  const flush = () => {
    pieces.push(Buffer.from(short));
    short = '';
  };
  const write = (item: unknown): void => {
    if (typeof item === 'string' && item.length >= LONG) {
      flush();
      const bytes = encoded.get(item) ?? Buffer.from(JSON.stringify(item));
      encoded.set(item, bytes);
      pieces.push(bytes);
    } else if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      short += JSON.stringify(item);
    } else {
      writeMembers(item);
    }
  };
  const writeMembers = (item: object) => {
    let separator = '{';
    for (const [name, member] of Object.entries(item)) {
      if (member === undefined) continue;
      short += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      write(member);
    }
    short += separator === '{' ? '{}' : '}';
  };

  write(value);
  flush();
  return Buffer.concat(pieces);
}
