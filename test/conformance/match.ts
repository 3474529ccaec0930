import type { JsonValue } from './case.ts';

/** Placeholder for any age in a table: `0s`, `3m20s`, `25y`. */
const AN_AGE = '<age>';

/** Returns the differences from `expected` in `actual`, as sentences. */
export function mismatches(expected: unknown, actual: unknown, at = ''): string[] {
  if (expected === undefined) return [];
  if (expected === AN_AGE && typeof actual === 'string' && /^(\d+[smhdy])+$/.test(actual)) return [];
  if (Array.isArray(expected)) return arrayMismatches(expected, actual, at);
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return [wrong(at, expected, actual)];
    return Object.entries(expected).flatMap(([member, value]) =>
      mismatches(value, (actual as Record<string, unknown>)[member], at ? `${at}.${member}` : member),
    );
  }
  return Object.is(expected, actual) ? [] : [wrong(at, expected, actual)];
}

/** Returns the value at a dotted path, for example `items.0.metadata.name`; `\.` is a dot inside a member's name. */
export function valueAt(body: unknown, path: string): JsonValue | undefined {
  return path
    .split(/(?<!\\)\./)
    .reduce<unknown>(
      (node, member) =>
        typeof node === 'object' && node !== null
          ? (node as Record<string, unknown>)[member.replaceAll('\\.', '.')]
          : undefined,
      body,
    ) as JsonValue | undefined;
}

function arrayMismatches(expected: readonly unknown[], actual: unknown, at: string): string[] {
  if (!Array.isArray(actual) || actual.length !== expected.length) return [wrong(at, expected, actual)];
  return expected.flatMap((value, index) => mismatches(value, actual[index], `${at}.${index}`));
}

function wrong(at: string, expected: unknown, actual: unknown): string {
  return `${at || 'the answer'} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}
