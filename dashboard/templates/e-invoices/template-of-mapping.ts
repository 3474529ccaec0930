import { isObject } from '../json-text.ts';

/** Returns the strings of a mapping as a template: lists become loops. */
export function templateOfMapping(value: unknown): string {
  if (typeof value === 'string') return `${value}\n`;
  if (Array.isArray(value)) return value.map(templateOfMapping).join('');
  if (!isObject(value)) return '';
  const { each, item } = value;
  if (typeof each === 'string' && each !== '') return `{{#each ${each}}}${templateOfMapping(item)}{{/each}}`;
  return Object.values(value).map(templateOfMapping).join('');
}
