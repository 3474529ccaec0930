import type { Cases, JsonObject } from '../case.ts';
import { apiKey, batch, DIGEST, generationJob, object, post, template } from './requests.ts';

type InvalidObject = [what: string, body: JsonObject];

const TEMPLATES: readonly InvalidObject[] = [
  ['no spec', { ...template('x'), spec: undefined }],
  ['a spec that is null', object('Template', 'x', null)],
  ['a spec that is a string', object('Template', 'x', 'text')],
  ['a spec that is a list', object('Template', 'x', [])],
  ['no displayName', template('x', { displayName: undefined })],
  ['a displayName that is null', template('x', { displayName: null })],
  ['a displayName that is a number', template('x', { displayName: 5 })],
  ['an empty displayName', template('x', { displayName: '' })],
  ['a displayName that is too long', template('x', { displayName: 'é'.repeat(201) })],
  ['a description that is too long', template('x', { description: 'x'.repeat(2001) })],
  ['html that is too long', template('x', { html: 'x'.repeat(1048577) })],
  ['html that is a list', template('x', { html: [] })],
  ['an unknown state', template('x', { state: 'deleted' })],
  ['a state that is a boolean', template('x', { state: true })],
  ['a reference without members', template('x', { html: undefined, sourceRef: {} })],
  [
    'a reference with an invalid digest',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: 'ABC', size: 1 } }),
  ],
  [
    'a reference with a digest that is too long',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: 'a'.repeat(65), size: 1 } }),
  ],
  [
    'a reference of negative size',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: DIGEST, size: -1 } }),
  ],
  [
    'a reference of fractional size',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: DIGEST, size: 1.5 } }),
  ],
  [
    'a size that is a string',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: DIGEST, size: '1' } }),
  ],
  ['a schema without fields', template('x', { schema: {} })],
  ['fields that are an object', template('x', { schema: { fields: {} } })],
  [
    'a field without name and type',
    template('x', { schema: { fields: [{ name: 'a', type: 'string' }, {}] } }),
  ],
  ['a field of an unknown type', template('x', { schema: { fields: [{ name: 'a', type: 'date' }] } })],
  ['a field that is null', template('x', { schema: { fields: [null] } })],
  [
    'a field with fractional length',
    template('x', { schema: { fields: [{ name: 'a', type: 'string', minLength: 1.5 }] } }),
  ],
  [
    'too many fields',
    template('x', {
      schema: {
        fields: Array.from({ length: 501 }, (_, index) => ({ name: `f${index}`, type: 'string' })),
      },
    }),
  ],
  ['items that are a list', template('x', { schema: { fields: [{ name: 'a', type: 'array', items: [] }] } })],
  ['an unknown page size', template('x', { defaultOptions: { pageSize: 'A4' } })],
  ['a margin in centimetres', template('x', { defaultOptions: { margins: { top: '1cm' } } })],
  ['a margin that is too long', template('x', { defaultOptions: { margins: { top: '11111111111111111' } } })],
  ['a printBackground that is a string', template('x', { defaultOptions: { printBackground: 'yes' } })],
  ['a locale with an underscore', template('x', { defaultOptions: { locale: 'de_DE' } })],
  ['an offset as a time zone', template('x', { defaultOptions: { timeZone: '+01:00' } })],
  ['an invalid time', template('x', { changedAt: 'yesterday' })],
  ['a time without a zone', template('x', { changedAt: '2026-11-21T03:05:00' })],
  ['a day that does not exist', template('x', { changedAt: '2026-02-30T03:05:00Z' })],
  ['two invalid members', template('x', { displayName: '', state: 'x' })],
  ['neither html nor sourceRef', template('x', { html: undefined })],
  ['both html and sourceRef', template('x', { sourceRef: { key: 'k', sha256: DIGEST, size: 1 } })],
  ['an invalid name and an invalid spec', template('X', { displayName: '' })],
  ['a violated rule and an unknown state', template('x', { html: undefined, state: 'x' })],
  ['a violated rule and a missing member', template('x', { displayName: undefined, html: undefined })],
  ['a violated rule and an empty displayName', template('x', { displayName: '', html: undefined })],
  [
    'a violated rule and a long description',
    template('x', { html: undefined, description: 'x'.repeat(2001) }),
  ],
  ['a violated rule and an invalid label', template('x', { html: undefined }, { labels: { 'a b': '' } })],
];

const APIKEYS: readonly InvalidObject[] = [
  ['an unknown scope', apiKey('x', { scopes: ['templates:read', 'all'] })],
  ['a duplicate scope', apiKey('x', { scopes: ['templates:read', 'usage:read', 'templates:read'] })],
  [
    'too many scopes',
    apiKey('x', {
      scopes: Array.from({ length: 33 }, () => 'usage:read'),
    }),
  ],
  ['a scope that is a number', apiKey('x', { scopes: [1] })],
  ['scopes that are a string', apiKey('x', { scopes: 'usage:read' })],
  [
    'an empty spec',
    apiKey('x', {
      name: undefined,
      scopes: undefined,
      mode: undefined,
      sha256: undefined,
      lastFour: undefined,
    }),
  ],
  ['a lastFour of three characters', apiKey('x', { lastFour: 'abc' })],
  ['a lastFour of five characters', apiKey('x', { lastFour: 'abcde' })],
];

const GENERATIONJOBS: readonly InvalidObject[] = [
  ['no templateRef', generationJob('x', { templateRef: undefined })],
  ['a templateRef without name', generationJob('x', { templateRef: {} })],
  ['an empty template name', generationJob('x', { templateRef: { name: '' } })],
  ['version 0', generationJob('x', { version: 0 })],
  ['a TTL over a day', generationJob('x', { ttlSecondsAfterFinished: 86401 })],
  ['a negative TTL', generationJob('x', { ttlSecondsAfterFinished: -1 })],
  ['metadata that is a number', generationJob('x', { clientMetadata: { a: 1 } })],
  ['data that is a list', generationJob('x', { data: [] })],
  ['data that is a string', generationJob('x', { data: 'x' })],
  ['data that is null', generationJob('x', { data: null })],
  ['an unknown format', generationJob('x', { format: 'tiff' })],
  ['neither data nor dataRef', generationJob('x', { data: undefined })],
  ['a number beyond 64 bits', generationJob('x', { version: 1e30 })],
];

const BATCHES: readonly InvalidObject[] = [
  ['no items', batch('x', { total: 0 })],
  ['more than a hundred items', batch('x', { total: 101 })],
  ['no itemsRef', batch('x', { itemsRef: undefined })],
  ['no revision', batch('x', { revision: undefined })],
];

function rejected(path: string, kind: string, objects: readonly InvalidObject[]): Cases {
  return Object.fromEntries(
    objects.map(([what, body]) => [`${kind} with ${what} is rejected`, [post(path, body)]]),
  );
}

/** Objects that violate the schema or rules of their kind. */
export const INVALID_OBJECTS: Cases = {
  ...rejected('templates', 'a template', TEMPLATES),
  ...rejected('apikeys', 'an API key', APIKEYS),
  ...rejected('generationjobs', 'a job', GENERATIONJOBS),
  ...rejected('batches', 'a batch', BATCHES),
};
