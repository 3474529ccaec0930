import type { Case, JsonObject } from '../case.ts';
import {
  apiKey,
  batch,
  create,
  DIGEST,
  generationJob,
  get,
  invalid,
  notFound,
  object,
  template,
} from './requests.ts';

type InvalidObject = [what: string, body: JsonObject, ...causes: string[]];

const INVALID_TEMPLATES: readonly InvalidObject[] = [
  [
    'no spec',
    { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', metadata: { name: 'x' } },
    'spec: FieldValueRequired',
  ],
  ['a spec that is null', object('Template', 'x', null), 'spec: FieldValueRequired'],
  ['a spec that is a string', object('Template', 'x', 'text'), 'spec: FieldValueTypeInvalid'],
  ['a spec that is a list', object('Template', 'x', []), 'spec: FieldValueTypeInvalid'],
  ['no displayName', template('x', { displayName: undefined }), 'spec.displayName: FieldValueRequired'],
  [
    'a displayName that is null',
    template('x', { displayName: null }),
    'spec.displayName: FieldValueRequired',
  ],
  [
    'a displayName that is a number',
    template('x', { displayName: 5 }),
    'spec.displayName: FieldValueTypeInvalid',
  ],
  ['an empty displayName', template('x', { displayName: '' }), 'spec.displayName: FieldValueInvalid'],
  [
    'a displayName that is too long',
    template('x', { displayName: 'é'.repeat(201) }),
    'spec.displayName: FieldValueTooLong',
  ],
  [
    'a description that is too long',
    template('x', { description: 'x'.repeat(2001) }),
    'spec.description: FieldValueTooLong',
  ],
  ['html that is too long', template('x', { html: 'x'.repeat(1_048_577) }), 'spec.html: FieldValueTooLong'],
  ['html that is a list', template('x', { html: [] }), 'spec.html: FieldValueTypeInvalid'],
  ['an unknown state', template('x', { state: 'deleted' }), 'spec.state: FieldValueNotSupported'],
  [
    'a state that is a boolean',
    template('x', { state: true }),
    'spec.state: FieldValueTypeInvalid',
    'spec.state: FieldValueNotSupported',
  ],
  [
    'a reference without members',
    template('x', { html: undefined, sourceRef: {} }),
    'spec.sourceRef.key: FieldValueRequired',
    'spec.sourceRef.sha256: FieldValueRequired',
    'spec.sourceRef.size: FieldValueRequired',
  ],
  [
    'a reference with an invalid digest',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: 'ABC', size: 1 } }),
    'spec.sourceRef.sha256: FieldValueInvalid',
  ],
  [
    'a reference with a digest that is too long',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: `${DIGEST}a`, size: 1 } }),
    'spec.sourceRef.sha256: FieldValueTooLong',
  ],
  [
    'a reference of negative size',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: DIGEST, size: -1 } }),
    'spec.sourceRef.size: FieldValueInvalid',
  ],
  [
    'a reference of fractional size',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: DIGEST, size: 1.5 } }),
    'spec.sourceRef.size: FieldValueTypeInvalid',
  ],
  [
    'a size that is a string',
    template('x', { html: undefined, sourceRef: { key: 'k', sha256: DIGEST, size: '1' } }),
    'spec.sourceRef.size: FieldValueTypeInvalid',
  ],
  ['a schema without fields', template('x', { schema: {} }), 'spec.schema.fields: FieldValueRequired'],
  [
    'fields that are an object',
    template('x', { schema: { fields: {} } }),
    'spec.schema.fields: FieldValueTypeInvalid',
  ],
  [
    'a field without name and type',
    template('x', { schema: { fields: [{ name: 'a', type: 'string' }, {}] } }),
    'spec.schema.fields[1].name: FieldValueRequired',
    'spec.schema.fields[1].type: FieldValueRequired',
  ],
  [
    'a field of an unknown type',
    template('x', { schema: { fields: [{ name: 'a', type: 'date' }] } }),
    'spec.schema.fields[0].type: FieldValueNotSupported',
  ],
  [
    'a field that is null',
    template('x', { schema: { fields: [null] } }),
    'spec.schema.fields[0]: FieldValueTypeInvalid',
  ],
  [
    'a field with fractional length',
    template('x', { schema: { fields: [{ name: 'a', type: 'string', minLength: 1.5 }] } }),
    'spec.schema.fields[0].minLength: FieldValueTypeInvalid',
  ],
  [
    'too many fields',
    template('x', {
      schema: { fields: Array.from({ length: 501 }, (_, i) => ({ name: `f${i}`, type: 'string' })) },
    }),
    'spec.schema.fields: FieldValueTooMany',
  ],
  [
    'items that are a list',
    template('x', { schema: { fields: [{ name: 'a', type: 'array', items: [] }] } }),
    'spec.schema.fields[0].items: FieldValueTypeInvalid',
  ],
  [
    'an unknown page size',
    template('x', { defaultOptions: { pageSize: 'A4' } }),
    'spec.defaultOptions.pageSize: FieldValueNotSupported',
  ],
  [
    'a margin in centimetres',
    template('x', { defaultOptions: { margins: { top: '1cm' } } }),
    'spec.defaultOptions.margins.top: FieldValueInvalid',
  ],
  [
    'a margin that is too long',
    template('x', { defaultOptions: { margins: { top: '1'.repeat(17) } } }),
    'spec.defaultOptions.margins.top: FieldValueTooLong',
  ],
  [
    'a printBackground that is a string',
    template('x', { defaultOptions: { printBackground: 'yes' } }),
    'spec.defaultOptions.printBackground: FieldValueTypeInvalid',
  ],
  [
    'a locale with an underscore',
    template('x', { defaultOptions: { locale: 'de_DE' } }),
    'spec.defaultOptions.locale: FieldValueInvalid',
  ],
  [
    'an offset as a time zone',
    template('x', { defaultOptions: { timeZone: '+01:00' } }),
    'spec.defaultOptions.timeZone: FieldValueInvalid',
  ],
  ['an invalid time', template('x', { changedAt: 'yesterday' }), 'spec.changedAt: FieldValueTypeInvalid'],
  [
    'a time without a zone',
    template('x', { changedAt: '2026-11-21T03:05:00' }),
    'spec.changedAt: FieldValueTypeInvalid',
  ],
  [
    'a day that does not exist',
    template('x', { changedAt: '2026-02-30T03:05:00Z' }),
    'spec.changedAt: FieldValueTypeInvalid',
  ],
  [
    'two invalid members',
    template('x', { displayName: '', state: 'x' }),
    'spec.displayName: FieldValueInvalid',
    'spec.state: FieldValueNotSupported',
  ],
  ['neither html nor sourceRef', template('x', { html: undefined }), 'spec: FieldValueInvalid'],
  [
    'both html and sourceRef',
    template('x', { sourceRef: { key: 'k', sha256: DIGEST, size: 1 } }),
    'spec: FieldValueInvalid',
  ],
  [
    'an invalid name and an invalid spec',
    template('X', { displayName: '' }),
    'metadata.name: FieldValueInvalid',
    'spec.displayName: FieldValueInvalid',
  ],
  [
    'a violated rule and an unknown state',
    template('x', { html: undefined, state: 'x' }),
    'spec.state: FieldValueNotSupported',
  ],
  [
    'a violated rule and a missing member',
    template('x', { html: undefined, displayName: undefined }),
    'spec.displayName: FieldValueRequired',
  ],
  [
    'a violated rule and an empty displayName',
    template('x', { html: undefined, displayName: '' }),
    'spec.displayName: FieldValueInvalid',
    'spec: FieldValueInvalid',
  ],
  [
    'a violated rule and a long description',
    template('x', { html: undefined, description: 'x'.repeat(2001) }),
    'spec.description: FieldValueTooLong',
  ],
  [
    'a violated rule and an invalid label',
    template('x', { html: undefined }, { labels: { 'a b': '' } }),
    'metadata.labels: FieldValueInvalid',
    'spec: FieldValueInvalid',
  ],
];

const INVALID_API_KEYS: readonly InvalidObject[] = [
  [
    'an unknown scope',
    apiKey('x', { scopes: ['templates:read', 'all'] }),
    'spec.scopes[1]: FieldValueNotSupported',
  ],
  [
    'a duplicate scope',
    apiKey('x', { scopes: ['templates:read', 'usage:read', 'templates:read'] }),
    'spec.scopes[2]: FieldValueDuplicate',
  ],
  [
    'too many scopes',
    apiKey('x', { scopes: Array.from({ length: 33 }, () => 'usage:read') }),
    'spec.scopes: FieldValueTooMany',
    'spec.scopes[1]: FieldValueDuplicate',
  ],
  [
    'a scope that is a number',
    apiKey('x', { scopes: [1] }),
    'spec.scopes[0]: FieldValueTypeInvalid',
    'spec.scopes[0]: FieldValueNotSupported',
  ],
  ['scopes that are a string', apiKey('x', { scopes: 'usage:read' }), 'spec.scopes: FieldValueTypeInvalid'],
  [
    'an empty spec',
    object('ApiKey', 'x', {}),
    'spec.name: FieldValueRequired',
    'spec.scopes: FieldValueRequired',
    'spec.mode: FieldValueRequired',
    'spec.sha256: FieldValueRequired',
    'spec.lastFour: FieldValueRequired',
  ],
  ['a lastFour of three characters', apiKey('x', { lastFour: 'abc' }), 'spec.lastFour: FieldValueInvalid'],
  ['a lastFour of five characters', apiKey('x', { lastFour: 'abcde' }), 'spec.lastFour: FieldValueTooLong'],
];

const INVALID_JOBS: readonly InvalidObject[] = [
  ['no templateRef', generationJob('x', { templateRef: undefined }), 'spec.templateRef: FieldValueRequired'],
  [
    'a templateRef without name',
    generationJob('x', { templateRef: {} }),
    'spec.templateRef.name: FieldValueRequired',
  ],
  [
    'an empty template name',
    generationJob('x', { templateRef: { name: '' } }),
    'spec.templateRef.name: FieldValueInvalid',
  ],
  ['version 0', generationJob('x', { version: 0 }), 'spec.version: FieldValueInvalid'],
  [
    'a TTL over a day',
    generationJob('x', { ttlSecondsAfterFinished: 86_401 }),
    'spec.ttlSecondsAfterFinished: FieldValueInvalid',
  ],
  [
    'a negative TTL',
    generationJob('x', { ttlSecondsAfterFinished: -1 }),
    'spec.ttlSecondsAfterFinished: FieldValueInvalid',
  ],
  ['data that is a list', generationJob('x', { data: [] }), 'spec.data: FieldValueTypeInvalid'],
  ['data that is a string', generationJob('x', { data: 'x' }), 'spec.data: FieldValueTypeInvalid'],
  ['data that is null', generationJob('x', { data: null }), 'spec: FieldValueInvalid'],
  ['an unknown format', generationJob('x', { format: 'tiff' }), 'spec.format: FieldValueNotSupported'],
  ['neither data nor dataRef', generationJob('x', { data: undefined }), 'spec: FieldValueInvalid'],
  ['a number beyond 64 bits', generationJob('x', { version: 1e30 }), 'spec.version: FieldValueTypeInvalid'],
];

function invalidObjects(path: string, kind: string, table: readonly InvalidObject[]): Case[] {
  return table.map(([what, body, ...causes]) => ({
    name: `${kind} with ${what} is rejected`,
    steps: [create(path, body, invalid(...causes)), get(`${path}/x`, notFound('x', path))],
  }));
}

const INVALID_BATCHES: readonly InvalidObject[] = [
  ['no items', batch('x', { total: 0 }), 'spec.total: FieldValueInvalid'],
  ['more than a hundred items', batch('x', { total: 101 }), 'spec.total: FieldValueInvalid'],
  ['no itemsRef', batch('x', { itemsRef: undefined }), 'spec.itemsRef: FieldValueRequired'],
  ['no revision', batch('x', { revision: undefined }), 'spec.revision: FieldValueRequired'],
];

/** Objects that violate the schema or rules of their kind, with every cause. */
export const INVALID_OBJECT_CASES: readonly Case[] = [
  ...invalidObjects('templates', 'a template', INVALID_TEMPLATES),
  ...invalidObjects('apikeys', 'an API key', INVALID_API_KEYS),
  ...invalidObjects('generationjobs', 'a job', INVALID_JOBS),
  ...invalidObjects('batches', 'a batch', INVALID_BATCHES),
];
