import type { Case, JsonObject, JsonValue } from '../case.ts';
import {
  apiKey,
  create,
  DIGEST,
  generationJob,
  get,
  invalid,
  made,
  mergePatch,
  notFound,
  object,
  replace,
  template,
} from './requests.ts';

type Refusal = [what: string, body: JsonObject, ...causes: string[]];

const REFUSED_TEMPLATES: readonly Refusal[] = [
  [
    'no spec',
    { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', metadata: { name: 'x' } },
    'spec: FieldValueRequired',
  ],
  ['a spec that is null', object('Template', 'x', null), 'spec: FieldValueRequired'],
  ['a spec that is a text', object('Template', 'x', 'text'), 'spec: FieldValueTypeInvalid'],
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
    'a reference with a bad digest',
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
    'a size in quotes',
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
    'a background that is a text',
    template('x', { defaultOptions: { printBackground: 'yes' } }),
    'spec.defaultOptions.printBackground: FieldValueTypeInvalid',
  ],
  ['a time that is none', template('x', { changedAt: 'yesterday' }), 'spec.changedAt: FieldValueTypeInvalid'],
  [
    'a time without zone',
    template('x', { changedAt: '2026-11-21T03:05:00' }),
    'spec.changedAt: FieldValueTypeInvalid',
  ],
  [
    'a day that does not exist',
    template('x', { changedAt: '2026-02-30T03:05:00Z' }),
    'spec.changedAt: FieldValueTypeInvalid',
  ],
  [
    'two wrong members',
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
    'a bad name and a bad spec',
    template('X', { displayName: '' }),
    'metadata.name: FieldValueInvalid',
    'spec.displayName: FieldValueInvalid',
  ],
  [
    'a broken rule and an unknown state',
    template('x', { html: undefined, state: 'x' }),
    'spec.state: FieldValueNotSupported',
  ],
  [
    'a broken rule and a missing member',
    template('x', { html: undefined, displayName: undefined }),
    'spec.displayName: FieldValueRequired',
  ],
  [
    'a broken rule and a short text',
    template('x', { html: undefined, displayName: '' }),
    'spec.displayName: FieldValueInvalid',
    'spec: FieldValueInvalid',
  ],
  [
    'a broken rule and a long text',
    template('x', { html: undefined, description: 'x'.repeat(2001) }),
    'spec.description: FieldValueTooLong',
  ],
  [
    'a broken rule and a bad label',
    template('x', { html: undefined }, { labels: { 'a b': '' } }),
    'metadata.labels: FieldValueInvalid',
    'spec: FieldValueInvalid',
  ],
];

const REFUSED_API_KEYS: readonly Refusal[] = [
  [
    'an unknown scope',
    apiKey('x', { scopes: ['templates:read', 'all'] }),
    'spec.scopes[1]: FieldValueNotSupported',
  ],
  [
    'a scope twice',
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
  ['scopes that are a text', apiKey('x', { scopes: 'usage:read' }), 'spec.scopes: FieldValueTypeInvalid'],
  [
    'no members at all',
    object('ApiKey', 'x', {}),
    'spec.name: FieldValueRequired',
    'spec.scopes: FieldValueRequired',
    'spec.mode: FieldValueRequired',
    'spec.sha256: FieldValueRequired',
    'spec.lastFour: FieldValueRequired',
  ],
  ['a key of three characters', apiKey('x', { lastFour: 'abc' }), 'spec.lastFour: FieldValueInvalid'],
  ['a key of five characters', apiKey('x', { lastFour: 'abcde' }), 'spec.lastFour: FieldValueTooLong'],
];

const REFUSED_JOBS: readonly Refusal[] = [
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
    'a TTL under zero',
    generationJob('x', { ttlSecondsAfterFinished: -1 }),
    'spec.ttlSecondsAfterFinished: FieldValueInvalid',
  ],
  ['data that is a list', generationJob('x', { data: [] }), 'spec.data: FieldValueTypeInvalid'],
  ['data that is a text', generationJob('x', { data: 'x' }), 'spec.data: FieldValueTypeInvalid'],
  ['data that is null', generationJob('x', { data: null }), 'spec: FieldValueInvalid'],
  ['another format', generationJob('x', { format: 'tiff' }), 'spec.format: FieldValueNotSupported'],
  ['no data', generationJob('x', { data: undefined }), 'spec: FieldValueInvalid'],
  ['a number beyond 64 bits', generationJob('x', { version: 1e30 }), 'spec.version: FieldValueTypeInvalid'],
];

type Accepted = [what: string, path: string, body: JsonObject, stored: JsonObject];

const KEPT: JsonValue = {
  nil: null,
  list: [null, 1, [], {}],
  text: 'é😀',
  zero: 0,
  no: false,
  deep: { a: { b: [1.5] } },
  'od.d key/': 'x',
};

const ACCEPTED: readonly Accepted[] = [
  ['the state that is left out is active', 'templates', template('x'), { spec: { state: 'active' } }],
  ['a state of null is active', 'templates', template('x', { state: null }), { spec: { state: 'active' } }],
  [
    'format and mode that are left out are pdf and live',
    'generationjobs',
    generationJob('x'),
    { spec: { format: 'pdf', mode: 'live' } },
  ],
  ['data is kept as it is', 'generationjobs', generationJob('x', { data: KEPT }), { spec: { data: KEPT } }],
  ['limits count characters, not bytes', 'templates', template('x', { displayName: '😀'.repeat(200) }), {}],
  ['the longest html is taken', 'templates', template('x', { html: 'x'.repeat(1_048_576) }), {}],
  ['empty html is html', 'templates', template('x', { html: '' }), { spec: { html: '' } }],
  [
    'a time in milliseconds is kept',
    'templates',
    template('x', { changedAt: '2026-11-21T03:05:00.123Z' }),
    { spec: { changedAt: '2026-11-21T03:05:00.123Z' } },
  ],
  [
    'a time with an offset is kept',
    'templates',
    template('x', { changedAt: '2026-11-21T03:05:00+02:00' }),
    { spec: { changedAt: '2026-11-21T03:05:00+02:00' } },
  ],
  [
    'nested schemas are kept',
    'templates',
    template('x', {
      schema: {
        fields: [
          {
            name: 'a',
            type: 'array',
            items: { type: 'object', properties: { q: { type: 'number' } } },
            default: [{ q: 1 }],
          },
        ],
      },
    }),
    {
      spec: {
        schema: {
          fields: [{ items: { type: 'object', properties: { q: { type: 'number' } } }, default: [{ q: 1 }] }],
        },
      },
    },
  ],
  [
    'any default of a field is kept',
    'templates',
    template('x', {
      schema: {
        fields: [
          { name: 'a', type: 'string', default: 'x' },
          { name: 'b', type: 'number', default: 0 },
          { name: 'c', type: 'boolean', default: false },
        ],
      },
    }),
    { spec: { schema: { fields: [{ default: 'x' }, { default: 0 }, { default: false }] } } },
  ],
  ['no scopes is a list of scopes', 'apikeys', apiKey('x', { scopes: [] }), { spec: { scopes: [] } }],
];

function refusals(path: string, kind: string, table: readonly Refusal[]): Case[] {
  return table.map(([what, body, ...causes]) => ({
    name: `${kind} with ${what} is refused`,
    steps: [create(path, body, invalid(...causes)), get(`${path}/x`, notFound('x', path))],
  }));
}

const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'Compiled',
  message: '',
  lastTransitionTime: '2026-11-21T03:05:00Z',
};

/** What structural schemas accept, refuse, fill in and drop. */
export const VALIDATION_CASES: readonly Case[] = [
  ...refusals('templates', 'a template', REFUSED_TEMPLATES),
  ...refusals('apikeys', 'an API key', REFUSED_API_KEYS),
  ...refusals('generationjobs', 'a job', REFUSED_JOBS),
  ...ACCEPTED.map(([what, path, body, stored]) => ({
    name: `${what} (${path})`,
    steps: [create(path, body, { code: 201, body: stored }), get(`${path}/x`, { code: 200, body: stored })],
  })),
  {
    name: 'numbers of both spellings are integers',
    steps: [
      create('generationjobs', JSON.stringify(generationJob('x', { version: 7 })).replace(':7', ':7.0'), {
        code: 201,
        body: { spec: { version: 7 } },
      }),
      create('generationjobs', JSON.stringify(generationJob('y', { version: 7 })).replace(':7', ':7e2'), {
        code: 201,
        body: { spec: { version: 700 } },
      }),
    ],
  },
  {
    name: 'a replacement is checked, filled in and pruned as a creation is',
    steps: [
      made('templates', template('a', { state: 'draft' }), { save: { rv: 'metadata.resourceVersion' } }),
      replace(
        'templates/a',
        template('a', { displayName: '' }, { resourceVersion: '$rv' }),
        invalid('spec.displayName: FieldValueInvalid'),
      ),
      replace('templates/a', template('a', {}, { resourceVersion: '$rv' }), {
        code: 200,
        body: { spec: { state: 'active' } },
      }),
      mergePatch('templates/a', { spec: { state: 'x' } }, invalid('spec.state: FieldValueNotSupported')),
      mergePatch('templates/a', { spec: null }, invalid('spec: FieldValueRequired')),
      mergePatch('templates/a', { spec: { html: null } }, invalid('spec: FieldValueInvalid')),
    ],
  },
  {
    name: 'status is checked by its own schema',
    steps: [
      made('templates', template('a')),
      mergePatch(
        'templates/a/status',
        { status: { conditions: [CONDITION, CONDITION] } },
        invalid('status.conditions[1]: FieldValueDuplicate'),
      ),
      mergePatch(
        'templates/a/status',
        { status: { conditions: [{ ...CONDITION, status: 'Yes' }] } },
        invalid('status.conditions[0].status: FieldValueNotSupported'),
      ),
      mergePatch(
        'templates/a/status',
        { status: { conditions: [{ type: 'Ready' }] } },
        invalid(
          'status.conditions[0].status: FieldValueRequired',
          'status.conditions[0].reason: FieldValueRequired',
          'status.conditions[0].message: FieldValueRequired',
          'status.conditions[0].lastTransitionTime: FieldValueRequired',
        ),
      ),
      mergePatch(
        'templates/a/status',
        { status: { conditions: [{ ...CONDITION, type: undefined }] } },
        invalid('status.conditions[0].type: FieldValueRequired'),
      ),
      mergePatch(
        'templates/a/status',
        { status: { conditions: Array.from({ length: 17 }, (_, i) => ({ ...CONDITION, type: `T${i}` })) } },
        invalid('status.conditions: FieldValueTooMany'),
      ),
      mergePatch(
        'templates/a/status',
        { status: { revision: 'x' } },
        invalid('status.revision: FieldValueInvalid'),
      ),
      mergePatch(
        'templates/a/status',
        { status: { conditions: [CONDITION, { ...CONDITION, type: 'Other' }] } },
        {
          code: 200,
          body: { metadata: { generation: 1 }, status: { conditions: [CONDITION, { type: 'Other' }] } },
        },
      ),
    ],
  },
];
