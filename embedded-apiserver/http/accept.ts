import { badRequest, notAcceptable } from '../objects/status-error.ts';
import type { IncludeObject } from '../objects/table.ts';

/** Requested representation of objects. */
export type Representation = 'object' | 'table' | 'metadata';

const SUPPORTED = ['application/json'];

/** Chooses the representation from an Accept header. Throws StatusError 406 if the client does not accept JSON. */
export function negotiate(accept: string | undefined): Representation {
  if (accept === undefined || accept === 'application/json' || accept.trim() === '') return 'object';
  for (const clause of accept.split(',')) {
    const chosen = representationOf(clause);
    if (chosen) return chosen;
  }
  throw notAcceptable(SUPPORTED);
}

/** Representations other than the object itself, by the `as` parameter. */
const FORMS: ReadonlyMap<string, Representation> = new Map([
  ['Table', 'table'],
  ['PartialObjectMetadata', 'metadata'],
  ['PartialObjectMetadataList', 'metadata'],
]);

function representationOf(clause: string): Representation | undefined {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
  if (!['application/json', '*/*', 'application/*'].includes(type)) return undefined;
  const values = new Map(parameters.map((parameter) => parameter.split('=') as [string, string]));
  const as = values.get('as');
  if (as === undefined) return 'object';
  const isMeta = values.get('g') === 'meta.k8s.io' && values.get('v') === 'v1';
  return isMeta ? FORMS.get(as) : undefined;
}

/** Throws StatusError 406 unless the client accepts JSON. Ignores `as`: discovery has only one representation. */
export function checkJsonAcceptable(accept: string | undefined): void {
  if (accept === undefined || accept === '' || /(\*\/\*|application\/(\*|json))/.test(accept)) return;
  throw notAcceptable(SUPPORTED);
}

/** Reads `includeObject`. Throws StatusError 400. */
export function includeObjectOf(query: Readonly<Record<string, string>>): IncludeObject {
  const value = query['includeObject'] || 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
