import type { Case } from '../case.ts';
import {
  create,
  generationJob,
  get,
  invalid,
  jsonPatch,
  made,
  mergePatch,
  remove,
  replace,
  template,
  unsupportedOption,
} from './requests.ts';

function metadataOnly(metadata: object) {
  return { ...template('x'), metadata: metadata as Record<string, string> };
}

/** Lists at a given version, and edge cases of names and bodies. */
export const VERSION_CASES: readonly Case[] = [
  {
    name: 'a list at an exact resourceVersion shows the objects of that version',
    steps: [
      made('templates', template('a')),
      made('templates', template('b'), { save: { rv: 'metadata.resourceVersion' } }),
      mergePatch('templates/a', { spec: { displayName: 'later' } }, { code: 200 }),
      remove('templates/b', { code: 200 }),
      made('templates', template('c'), { save: { last: 'metadata.resourceVersion' } }),
      get(
        'templates',
        {
          code: 200,
          body: {
            metadata: { resourceVersion: '$rv' },
            items: [
              { metadata: { name: 'a' }, spec: { displayName: 'Invoice' } },
              { metadata: { name: 'b' } },
            ],
          },
        },
        { query: { resourceVersion: '$rv', resourceVersionMatch: 'Exact' } },
      ),
      get(
        'templates',
        { code: 200, body: { items: [{ metadata: { name: 'a' }, spec: { displayName: 'later' } }, {}] } },
        { query: { resourceVersion: '$last', resourceVersionMatch: 'NotOlderThan' } },
      ),
    ],
  },
  {
    name: 'a list at a compacted resourceVersion returns 410',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      mergePatch('templates/a', { spec: { displayName: 'later' } }, { code: 200 }),
      made('templates', template('b')),
      get(
        'templates',
        { code: 410, reason: 'Expired' },
        { query: { resourceVersion: '$rv', resourceVersionMatch: 'Exact' }, afterCompaction: true },
      ),
    ],
  },
  {
    name: 'a read at a future resourceVersion times out',
    steps: [
      get(
        'templates',
        { code: 504, reason: 'Timeout', causes: [': ResourceVersionTooLarge'] },
        { query: { resourceVersion: '999999999' } },
      ),
      made('templates', template('a')),
      get(
        'templates/a',
        { code: 504, reason: 'Timeout', causes: [': ResourceVersionTooLarge'] },
        { query: { resourceVersion: '999999999' } },
      ),
    ],
  },
  {
    name: 'a read of an object can require a minimum resourceVersion',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      get('templates/a', { code: 200 }, { query: { resourceVersion: '$rv' } }),
      get('templates/a', { code: 200 }, { query: { resourceVersion: '0' } }),
    ],
  },
  {
    name: 'a list rejects sendInitialEvents',
    steps: [
      get(
        'templates',
        { code: 422, reason: 'Invalid', causes: ['sendInitialEvents: FieldValueForbidden'] },
        { query: { sendInitialEvents: 'true' } },
      ),
    ],
  },
  {
    name: 'a JSON patch can replace a member named "-" but not the position after a list',
    steps: [
      made('generationjobs', generationJob('g', { data: { '-': 1, list: [1] } })),
      jsonPatch('generationjobs/g', [{ op: 'replace', path: '/spec/data/-', value: 2 }], {
        code: 200,
        body: { spec: { data: { '-': 2 } } },
      }),
      jsonPatch('generationjobs/g', [{ op: 'replace', path: '/spec/data/list/-', value: 2 }], invalid()),
    ],
  },
  {
    name: 'name takes precedence over generateName, and a long generateName is truncated',
    steps: [
      create('templates', metadataOnly({ name: 'given', generateName: 'made-' }), {
        code: 201,
        body: { metadata: { name: 'given', generateName: 'made-' } },
      }),
      create('templates', metadataOnly({ generateName: 'UPPER-' }), {
        code: 422,
        reason: 'Invalid',
        causes: ['metadata.generateName: FieldValueInvalid', 'metadata.name: FieldValueInvalid'],
      }),
      create(
        'templates',
        metadataOnly({ generateName: `${'a'.repeat(100)}-` }),
        { code: 201 },
        { save: { made: 'metadata.name' } },
      ),
      get(`templates/$made`, { code: 200 }),
    ],
  },
  {
    name: 'names of JavaScript object members are ordinary names',
    steps: [
      create(
        'generationjobs',
        '{"apiVersion":"trifold.dev/v1alpha1","kind":"GenerationJob","metadata":{"name":"constructor"},"spec":{"templateRef":{"name":"a"},"data":{"constructor":1,"toString":{"a":2},"__proto__":{"b":3}}}}',
        { code: 201 },
      ),
      get('generationjobs/constructor', {
        code: 200,
        body: JSON.parse('{"spec":{"data":{"constructor":1,"toString":{"a":2},"__proto__":{"b":3}}}}'),
      }),
      create(
        'templates',
        template('a', { constructor: 1 }),
        { code: 400, reason: 'BadRequest' },
        { query: { fieldValidation: 'Strict' } },
      ),
      create('templates', template('a', {}, { labels: { constructor: 'x' } }), { code: 201 }),
      get(
        'templates',
        { code: 200, body: { items: [{ metadata: { name: 'a' } }] } },
        { query: { labelSelector: 'constructor' } },
      ),
      get('templates', { code: 200, body: { items: [] } }, { query: { labelSelector: 'toString' } }),
    ],
  },
  {
    name: 'an object can be sent back as it was read',
    steps: [
      made(
        'templates',
        template('a', { css: 'p{}' }, { labels: { a: 'b' }, finalizers: ['trifold.dev/hold'] }),
      ),
      mergePatch(
        'templates/a/status',
        { status: { version: 1 } },
        { code: 200 },
        { save: { rv: 'metadata.resourceVersion', uid: 'metadata.uid', time: 'metadata.creationTimestamp' } },
      ),
      replace(
        'templates/a',
        {
          ...template(
            'a',
            { css: 'p{}', state: 'active' },
            {
              namespace: '$ns',
              labels: { a: 'b' },
              finalizers: ['trifold.dev/hold'],
              generation: 1,
              uid: '$uid',
              resourceVersion: '$rv',
              creationTimestamp: '$time',
            },
          ),
          status: { version: 1 },
        },
        { code: 200, body: { metadata: { resourceVersion: '$rv', generation: 1 } } },
        { query: { fieldValidation: 'Strict' } },
      ),
    ],
  },
  {
    name: 'null counts as absent in metadata and spec',
    steps: [
      create(
        'templates',
        { ...template('a', { css: null, schema: null }), status: null },
        { code: 201, absent: ['spec.css', 'spec.schema', 'status'] },
      ),
      create(
        'templates',
        template('b', {}, { labels: null, annotations: null, finalizers: null, creationTimestamp: null }),
        {
          code: 201,
          absent: ['metadata.labels', 'metadata.annotations', 'metadata.finalizers'],
        },
      ),
      create('templates', template('d', {}, { labels: { a: null }, annotations: { note: null } }), {
        code: 201,
        body: { metadata: { labels: { a: '' }, annotations: { note: '' } } },
      }),
      create(
        'templates',
        template('c', { schema: { fields: null } }),
        invalid('spec.schema.fields: FieldValueRequired'),
      ),
      mergePatch(
        'templates/a',
        { metadata: { labels: null, annotations: { a: null } } },
        { code: 200, body: { metadata: { generation: 1 } } },
      ),
    ],
  },
  {
    name: 'a write ignores unknown query parameters and rejects invalid ones',
    steps: [
      create(
        'templates',
        template('a'),
        { code: 201 },
        { query: { fieldManager: 'kubectl-create', pretty: 'true', nothing: 'x' } },
      ),
      mergePatch('templates/a', {}, { code: 200 }, { query: { fieldManager: 'm' } }),
      mergePatch('templates/a', {}, unsupportedOption('dryRun'), { query: { dryRun: 'none' } }),
      replace('templates/a', template('a'), unsupportedOption('fieldValidation'), {
        query: { fieldValidation: 'strict' },
      }),
      mergePatch(
        'templates/a',
        {},
        { code: 422, reason: 'Invalid', causes: ['force: FieldValueForbidden'] },
        { query: { force: 'true' } },
      ),
    ],
  },
];
