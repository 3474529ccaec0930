import type { GenerationOptions } from '@trifold/client';
import { formatJson, isObject } from '../editor/json-text.ts';

/** Names of the members from the top to a value: `['header', 'height']`. */
export type OptionPath = readonly [string, ...string[]];

/** Returns the JSON of options in which one value is replaced; undefined removes it, and objects that it leaves empty. */
export function withOption(options: GenerationOptions, path: OptionPath, value: unknown): string {
  const changed = withMember(options, path, value);
  return Object.keys(changed).length === 0 ? '' : formatJson(changed);
}

function withMember(
  object: Readonly<Record<string, unknown>>,
  [name, ...rest]: readonly [string, ...string[]],
  value: unknown,
): Record<string, unknown> {
  const { [name]: before, ...others } = object;
  const [next, ...further] = rest;
  const after =
    next === undefined ? value : withMember(isObject(before) ? before : {}, [next, ...further], value);
  if (after === undefined || (isObject(after) && Object.keys(after).length === 0)) return others;
  // An existing member keeps its position.
  return { ...object, [name]: after };
}

/** Returns the four margins, of one length or of four. */
export function marginsOf({ margins }: GenerationOptions): Readonly<Record<Side, string>> {
  if (typeof margins === 'string') {
    return { top: margins, right: margins, bottom: margins, left: margins };
  }
  const { top = '', right = '', bottom = '', left = '' } = isObject(margins) ? margins : {};
  return { top, right, bottom, left };
}

export const SIDES = ['top', 'right', 'bottom', 'left'] as const;
export type Side = (typeof SIDES)[number];

/** Returns options with one margin replaced. Four equal margins become one length. */
export function withMargin(options: GenerationOptions, side: Side, length: string): string {
  const margins = { ...marginsOf(options), [side]: length };
  const given = Object.entries(margins).filter(([, margin]) => margin !== '');
  const lengths = new Set(Object.values(margins));
  const value = lengths.size === 1 ? length || undefined : Object.fromEntries(given);
  return withOption(options, ['margins'], value);
}
