import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';

/** One entry of values.yaml. */
export interface ChartValue {
  /** In `--set` notation, for example `gateway.config.maxBody`. */
  readonly path: string;
  readonly description: string;
  /** Default of a value that is set as a whole: a scalar, a list, or a map whose entries are cluster-specific. */
  readonly fallback?: unknown;
  /** Values in the group. */
  readonly members?: readonly ChartValue[];
}

/**
 * Reads values.yaml: the comment above an entry is its description. Throws an Error that names every entry without one.
 * A map is a group if its entries have comments, and a single value if none has.
 */
export function readChartValues(text: string): ChartValue[] {
  const root = parseDocument(text).contents;
  if (!isMap(root)) throw new Error('values.yaml is not a map');
  const values = membersOf(root).map(({ name, comment, pair }) => valueOf(name, comment, pair));
  const undocumented = entriesOf(values).filter(({ description }) => description === '');
  if (undocumented.length > 0) {
    throw new Error(`values without a comment: ${undocumented.map(({ path }) => path).join(', ')}`);
  }
  return values;
}

/** Returns the values and all nested values, groups before their contents. */
export function entriesOf(values: readonly ChartValue[]): ChartValue[] {
  return values.flatMap((value) => [value, ...entriesOf(value.members ?? [])]);
}

function valueOf(path: string, description: string, { value }: Pair): ChartValue {
  if (isMap(value)) {
    const members = membersOf(value);
    if (members.some(({ comment }) => comment !== '')) {
      const all = members.map(({ name, comment, pair }) => valueOf(`${path}.${name}`, comment, pair));
      return { path, description, members: all };
    }
  }
  return { path, description, fallback: (value as { toJSON(): unknown } | null)?.toJSON() ?? null };
}

interface Member {
  readonly name: string;
  /** The last comment, if several are separated by empty lines. */
  readonly comment: string;
  readonly pair: Pair;
}

function membersOf(map: YAMLMap): Member[] {
  return map.items.map((pair, index) => {
    const { key } = pair;
    if (!isScalar(key)) throw new Error('values.yaml has a key that is not a string');
    // The parser attaches the comment above the first key to the map.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? '';
    const paragraph = comment.split(/\n\s*\n/).at(-1) ?? '';
    const text = paragraph.replaceAll(/^ ?/gm, '').replaceAll('\n', ' ').trim();
    return { name: String(key.value), comment: text, pair };
  });
}
