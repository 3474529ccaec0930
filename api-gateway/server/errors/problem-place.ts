import { PROBLEM_PARTS, type ProblemPart } from '@trifold/crds';
import type { ErrorDetail } from './api-error.ts';

/** The subject of a request problem, and the part of the template or data that contains it. */
export interface PlacedDetail extends ErrorDetail {
  readonly part?: ProblemPart;
}

/** Fields of a request that lead to a document's template or data. */
const OUTSIDE = /^\/(?:template\/|items\/\d+\/)?/;

/** Adds the part that the path points to. For data, adds the path as bindings write it: `lines[3].price`. */
export function placed(detail: ErrorDetail): PlacedDetail {
  const [member = '', ...names] = detail.path
    .replace(OUTSIDE, '')
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const part = partOf(member, names);
  if (part === undefined) return detail;
  const name = detail.name ?? (part === 'data' && names.length > 0 ? bindingOf(names) : undefined);
  return { ...detail, part, ...(name !== undefined && { name }) };
}

function partOf(member: string, names: readonly string[]): ProblemPart | undefined {
  const isOption = member === 'options' || member === 'default_options';
  if (!isOption) return PROBLEM_PARTS.find((part) => part === member);
  const content = names.at(-1) === 'content' ? names.slice(0, -1).join('.') : names[0];
  return OPTION_PARTS.find((part) => part === content) ?? 'options';
}

const OPTION_PARTS = PROBLEM_PARTS.filter((part) => /^(?:header|footer|properties)/.test(part));

function bindingOf([first = '', ...names]: readonly string[]): string {
  const members = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`));
  return `${first}${members.join('')}`;
}
