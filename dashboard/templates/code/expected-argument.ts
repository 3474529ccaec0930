import { findHelper } from './helpers.ts';

/**
 * Returns what is expected at the end of an unfinished tag: `output` for a value that it prints, otherwise the argument
 * type of its helper. Blocks and unknown helpers take `any` value.
 */
export function expectedAt(tag: string): string {
  const open = withoutCalls(tag.replaceAll(/"[^"]*"|'[^']*'/g, '""'));
  const [, head = '', inner = ''] = /^([^]*\(|\{+~?\s*[#/^>&]?\s*(?:else\s+)?)([^]*)$/.exec(open) ?? [];
  const [name = '', ...values] = inner.split(/\s+/);
  if (values.length === 0) return /^\{+~?\s*$/.test(head) ? 'output' : 'any';
  const helper = findHelper(name);
  const last = values.pop() ?? '';
  const named = /^\w+(?==)/.exec(last)?.[0];
  if (named !== undefined) return helper?.named[named] ?? 'any';
  const types = Object.values(helper?.parameters ?? {});
  const index = values.filter((value) => !value.includes('=')).length;
  return types[Math.min(index, types.length - 1)] ?? 'any';
}

/** Replaces finished calls in parentheses with a word. */
function withoutCalls(tag: string): string {
  const shorter = tag.replaceAll(/\([^()]*\)/g, '""');
  return shorter === tag ? tag : withoutCalls(shorter);
}
