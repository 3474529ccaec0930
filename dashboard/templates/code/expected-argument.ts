import { findHelper } from './helpers.ts';

/**
 * Returns the kind of value expected at the end of an unfinished tag: `output` for a value that it prints, otherwise
 * the argument type of its helper. Blocks and unknown helpers accept `any` value.
 */
export function expectedAt(tag: string): string {
  const open = withoutCalls(tag.replaceAll(/"[^"]*"|'[^']*'/g, '""'));
  const [, head = '', inner = ''] = /^([^]*\(|\{+~?\s*[#/^>&]?\s*(?:else\s+)?)([^]*)$/.exec(open) ?? [];
  const [name = '', ...values] = inner.split(/\s+/);
  if (values.length === 0) return /^\{+~?\s*$/.test(head) ? 'output' : 'any';
  return argumentType(name, values) ?? 'any';
}

/** Type of a call's last argument. */
function argumentType(name: string, values: readonly string[]): string | undefined {
  const { parameters = {}, named = {} } = findHelper(name) ?? {};
  const own = /^\w+(?==)/.exec(values.at(-1) ?? '')?.[0];
  if (own !== undefined) return named[own];
  const types = Object.values(parameters);
  const index = values.slice(0, -1).filter((value) => !value.includes('=')).length;
  return types[Math.min(index, types.length - 1)];
}

/** Replaces finished calls in parentheses with a word. */
function withoutCalls(tag: string): string {
  const shorter = tag.replaceAll(/\([^()]*\)/g, '""');
  return shorter === tag ? tag : withoutCalls(shorter);
}
