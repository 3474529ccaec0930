import type { Case, JsonObject } from '../case.ts';
import {
  create,
  get,
  invalid,
  jsonPatch,
  made,
  mergePatch,
  notFound,
  remove,
  replace,
  template,
  unsupportedOption,
} from './requests.ts';

function options(members: JsonObject): JsonObject {
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...members };
}

/** Preconditions, finalizers and options of a deletion. */
export const DELETION_CASES: readonly Case[] = [
  {
    name: 'a deletion can have preconditions on uid and resourceVersion',
    steps: [
      made('templates', template('a'), { save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion' } }),
      remove(
        'templates/a',
        { code: 409, reason: 'Conflict' },
        options({ preconditions: { uid: '11111111-1111-1111-1111-111111111111' } }),
      ),
      remove(
        'templates/a',
        { code: 409, reason: 'Conflict' },
        options({ preconditions: { resourceVersion: '1' } }),
      ),
      remove(
        'templates/a',
        { code: 409, reason: 'Conflict' },
        options({ preconditions: { uid: '$uid', resourceVersion: '1' } }),
      ),
      get('templates/a', { code: 200 }),
      remove(
        'templates/a',
        { code: 200 },
        options({ preconditions: { uid: '$uid', resourceVersion: '$rv' } }),
      ),
      remove('templates/a', notFound('a'), options({ preconditions: { uid: '$uid' } })),
    ],
  },
  {
    name: 'invalid options of a deletion are rejected',
    steps: [
      made('templates', template('a')),
      remove(
        'templates/a',
        unsupportedOption('propagationPolicy'),
        options({ propagationPolicy: 'Sometimes' }),
      ),
      remove('templates/a', unsupportedOption('dryRun'), options({ dryRun: ['Some'] })),
      get('templates/a', { code: 200 }),
    ],
  },
  ...(
    [
      ['with background propagation', options({ propagationPolicy: 'Background' })],
      ['with a grace period of zero', options({ propagationPolicy: 'Background', gracePeriodSeconds: 0 })],
      ['with empty options', {}],
      ['with options without a kind', { gracePeriodSeconds: 0 }],
    ] as const
  ).map(([what, body]) => ({
    name: `an object can be deleted ${what}`,
    steps: [
      made('templates', template('a')),
      remove('templates/a', { code: 200 }, body),
      get('templates/a', notFound('a')),
    ],
  })),
  {
    name: 'options of a deletion can be query parameters',
    steps: [
      made('templates', template('a')),
      remove('templates/a', { code: 200, body: { kind: 'Status' } }, undefined, {
        query: { propagationPolicy: 'Background', gracePeriodSeconds: '0' },
      }),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'an object with finalizers gets a deletionTimestamp and stays until it has no finalizers',
    steps: [
      made('templates', template('a', {}, { finalizers: ['trifold.dev/hold', 'trifold.dev/other'] })),
      remove(
        'templates/a',
        {
          code: 200,
          body: {
            kind: 'Template',
            metadata: {
              generation: 2,
              deletionGracePeriodSeconds: 0,
              finalizers: ['trifold.dev/hold', 'trifold.dev/other'],
            },
          },
        },
        undefined,
        { save: { gone: 'metadata.deletionTimestamp', rv: 'metadata.resourceVersion' } },
      ),
      remove('templates/a', {
        code: 200,
        body: { metadata: { deletionTimestamp: '$gone', resourceVersion: '$rv' } },
      }),
      create('templates', template('a'), { code: 409, reason: 'AlreadyExists' }),
      mergePatch(
        'templates/a',
        { metadata: { finalizers: ['trifold.dev/other'] } },
        { code: 200, body: { metadata: { deletionTimestamp: '$gone', finalizers: ['trifold.dev/other'] } } },
      ),
      get('templates/a', { code: 200 }),
      mergePatch(
        'templates/a',
        { metadata: { finalizers: null } },
        { code: 200, body: { metadata: { name: 'a', deletionTimestamp: '$gone' } } },
      ),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'an object that is being deleted accepts other changes but no new finalizer',
    steps: [
      made('templates', template('a', {}, { finalizers: ['trifold.dev/hold'] })),
      remove('templates/a', { code: 200 }, undefined, { save: { rv: 'metadata.resourceVersion' } }),
      mergePatch(
        'templates/a',
        { metadata: { finalizers: ['trifold.dev/hold', 'trifold.dev/new'] } },
        invalid('metadata.finalizers: FieldValueForbidden'),
      ),
      mergePatch(
        'templates/a',
        { metadata: { deletionTimestamp: null } },
        { code: 200, body: { metadata: { resourceVersion: '$rv' } } },
      ),
      replace(
        'templates/a',
        template('a', { displayName: 'B' }, { resourceVersion: '$rv', finalizers: ['trifold.dev/hold'] }),
        { code: 200, body: { metadata: { generation: 3 }, spec: { displayName: 'B' } } },
      ),
      mergePatch('templates/a/status', { status: { version: 1 } }, { code: 200 }),
      get(
        'templates/a',
        { code: 200, body: { spec: { displayName: 'B' } } },
        { save: { gone: 'metadata.deletionTimestamp' } },
      ),
      jsonPatch('templates/a', [{ op: 'remove', path: '/metadata/finalizers/0' }], { code: 200 }),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'an update can remove the last finalizer',
    steps: [
      made('templates', template('a', {}, { finalizers: ['trifold.dev/hold'] })),
      remove('templates/a', { code: 200 }, undefined, { save: { rv: 'metadata.resourceVersion' } }),
      replace('templates/a', template('a', {}, { resourceVersion: '$rv' }), { code: 200 }),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'finalizers can be added and removed without a deletion',
    steps: [
      made('templates', template('a')),
      mergePatch(
        'templates/a',
        { metadata: { finalizers: ['trifold.dev/hold'] } },
        { code: 200, body: { metadata: { generation: 1, finalizers: ['trifold.dev/hold'] } } },
      ),
      mergePatch(
        'templates/a',
        { metadata: { finalizers: [] } },
        { code: 200, absent: ['metadata.finalizers'] },
      ),
    ],
  },
];
