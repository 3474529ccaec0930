import type { ProblemPart } from '@trifold/crds';
import type { Finding } from './local-renderer.ts';
import { nameOf } from './read-input.ts';

/** Input files for a rendering. */
interface Inputs {
  readonly template: string;
  readonly css?: string;
  readonly data?: string;
  readonly options?: string;
  readonly schema?: string;
  readonly eInvoice?: string;
}

/** Returns `file:line:column: level: message`, which editors and terminals turn into a link. */
export function lineOf(
  { level, message, part, line, column, path: pointer }: Finding,
  inputs: Inputs,
): string {
  const [, , ...fields] = (pointer ?? '').split('/');
  const subject = isJson(part) ? `${fields.join('/')} ` : '';
  return `${placeOf(part, inputs)}${line ? `:${line}:${column}` : ''}: ${level}: ${subject.trimStart()}${message}`;
}

function isJson(part: ProblemPart | null | undefined): boolean {
  return part === 'data' || part === 'options' || part === 'schema' || part === 'e_invoice';
}

/**
 * Returns the file that contains a part. A header or footer is a string in the options; its lines are counted from its
 * own start.
 */
export function placeOf(part: ProblemPart | null | undefined, inputs: Inputs): string {
  if (!part || part === 'html') return nameOf(inputs.template);
  const { css, data, schema, eInvoice } = inputs;
  const files: Partial<Record<ProblemPart, string | undefined>> = { css, data, schema, e_invoice: eInvoice };
  if (part in files) return nameOf(files[part] ?? inputs.template);
  if (inputs.options === undefined) return nameOf(inputs.template);
  return part === 'options' ? nameOf(inputs.options) : `${nameOf(inputs.options)}#${part}`;
}
