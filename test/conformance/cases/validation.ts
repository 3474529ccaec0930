import type { Case, JsonObject, JsonValue } from '../case.ts';
import {
  apiKey,
  batch,
  create,
  generationJob,
  get,
  invalid,
  made,
  mergePatch,
  replace,
  template,
} from './requests.ts';

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
  ['an omitted state becomes active', 'templates', template('x'), { spec: { state: 'active' } }],
  ['a null state becomes active', 'templates', template('x', { state: null }), { spec: { state: 'active' } }],
  [
    'omitted format and mode become pdf and live',
    'generationjobs',
    generationJob('x'),
    { spec: { format: 'pdf', mode: 'live' } },
  ],
  [
    'omitted format and mode of a batch become pdf and live',
    'batches',
    batch('x'),
    { spec: { format: 'pdf', mode: 'live' } },
  ],
  [
    'data is stored unchanged',
    'generationjobs',
    generationJob('x', { data: KEPT }),
    { spec: { data: KEPT } },
  ],
  ['limits count characters, not bytes', 'templates', template('x', { displayName: '😀'.repeat(200) }), {}],
  ['html of the maximum length is accepted', 'templates', template('x', { html: 'x'.repeat(1_048_576) }), {}],
  ['empty html is stored', 'templates', template('x', { html: '' }), { spec: { html: '' } }],
  [
    'a time with milliseconds is stored unchanged',
    'templates',
    template('x', { changedAt: '2026-11-21T03:05:00.123Z' }),
    { spec: { changedAt: '2026-11-21T03:05:00.123Z' } },
  ],
  [
    'a time with an offset is stored unchanged',
    'templates',
    template('x', { changedAt: '2026-11-21T03:05:00+02:00' }),
    { spec: { changedAt: '2026-11-21T03:05:00+02:00' } },
  ],
  [
    'nested schemas are stored',
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
    'defaults of every field type are stored',
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
  ['an empty list of scopes is stored', 'apikeys', apiKey('x', { scopes: [] }), { spec: { scopes: [] } }],
];

const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'Compiled',
  message: '',
  lastTransitionTime: '2026-11-21T03:05:00Z',
};

/** Validation, defaults and pruning of structural schemas. */
export const VALIDATION_CASES: readonly Case[] = [
  ...ACCEPTED.map(([what, path, body, stored]) => ({
    name: `${what} (${path})`,
    steps: [create(path, body, { code: 201, body: stored }), get(`${path}/x`, { code: 200, body: stored })],
  })),
  {
    name: 'integers can be written with a zero fraction or an exponent',
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
    name: 'an update is validated, defaulted and pruned like a creation',
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
    name: 'status is validated against its own schema',
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
