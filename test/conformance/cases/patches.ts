import type { Case } from '../case.ts';
import {
  apiKey,
  BAD_REQUEST,
  DIGEST,
  generationJob,
  get,
  invalid,
  jsonPatch,
  made,
  mergePatch,
  notFound,
  patch,
  template,
} from './requests.ts';

/** Merge and JSON patch (RFC 7386, RFC 6902). */
export const PATCH_CASES: readonly Case[] = [
  {
    name: 'a merge patch changes, adds and removes members, and replaces whole lists',
    steps: [
      made(
        'templates',
        template(
          'a',
          {
            css: 'p{}',
            schema: {
              fields: [
                { name: 'a', type: 'string' },
                { name: 'b', type: 'string' },
              ],
            },
          },
          { labels: { x: '1', y: '2' } },
        ),
      ),
      mergePatch(
        'templates/a',
        {
          metadata: { labels: { x: null, z: '3' } },
          spec: { css: null, description: 'd', schema: { fields: [{ name: 'c', type: 'number' }] } },
        },
        {
          code: 200,
          body: {
            metadata: { generation: 2, labels: { y: '2', z: '3' } },
            spec: { description: 'd', schema: { fields: [{ name: 'c', type: 'number' }] } },
          },
          absent: ['spec.css', 'metadata.labels.x'],
        },
      ),
    ],
  },
  {
    name: 'a patch without a change keeps the resourceVersion',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      mergePatch(
        'templates/a',
        {},
        { code: 200, body: { metadata: { resourceVersion: '$rv', generation: 1 } } },
      ),
      mergePatch(
        'templates/a',
        { spec: { displayName: 'Invoice' } },
        { code: 200, body: { metadata: { resourceVersion: '$rv' } } },
      ),
      mergePatch(
        'templates/a',
        { spec: { state: null } },
        { code: 200, body: { metadata: { resourceVersion: '$rv' }, spec: { state: 'active' } } },
      ),
      jsonPatch('templates/a', [], { code: 200, body: { metadata: { resourceVersion: '$rv' } } }),
      mergePatch(
        'templates/a',
        { metadata: { generation: 9, uid: null, creationTimestamp: null } },
        { code: 200, body: { metadata: { resourceVersion: '$rv' } } },
      ),
    ],
  },
  {
    name: 'a patch can require a resourceVersion',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      mergePatch(
        'templates/a',
        { metadata: { resourceVersion: '$rv' }, spec: { displayName: 'B' } },
        { code: 200 },
      ),
      mergePatch(
        'templates/a',
        { metadata: { resourceVersion: '$rv' }, spec: { displayName: 'C' } },
        { code: 409, reason: 'Conflict' },
      ),
      mergePatch(
        'templates/a',
        { metadata: { resourceVersion: null }, spec: { displayName: 'C' } },
        invalid('metadata.resourceVersion: FieldValueInvalid'),
      ),
    ],
  },
  {
    name: 'a patch cannot change the identity of an object',
    steps: [
      made('templates', template('a')),
      mergePatch('templates/a', { metadata: { name: 'b' } }, BAD_REQUEST),
      mergePatch('templates/a', { metadata: { namespace: 'default' } }, BAD_REQUEST),
      mergePatch(
        'templates/a',
        { metadata: { uid: '11111111-1111-1111-1111-111111111111' } },
        invalid('metadata.uid: FieldValueInvalid'),
      ),
      mergePatch('templates/a', { kind: 'ApiKey' }, invalid('kind: FieldValueInvalid')),
      mergePatch('templates/a', { apiVersion: 'v1' }, invalid('apiVersion: FieldValueInvalid')),
      get('templates/a', { code: 200, body: { metadata: { generation: 1 } } }),
    ],
  },
  {
    name: 'a merge patch that is not an object is rejected',
    steps: [
      made('templates', template('a')),
      mergePatch('templates/a', '{"spec":', BAD_REQUEST),
      mergePatch('templates/a', '', BAD_REQUEST),
      mergePatch('templates/a', [], BAD_REQUEST),
      mergePatch('templates/a', '"text"', BAD_REQUEST),
      mergePatch('templates/a', 'null', BAD_REQUEST),
      get('templates/a', { code: 200, body: { metadata: { generation: 1 } } }),
    ],
  },
  {
    name: 'a JSON patch applies its operations in order',
    steps: [
      made(
        'templates',
        template(
          'a',
          { css: 'p{}', schema: { fields: [{ name: 'a', type: 'string' }] } },
          { annotations: { 'a/b': 'x', 'c/d': 'y' } },
        ),
      ),
      jsonPatch(
        'templates/a',
        [
          { op: 'test', path: '/spec/css', value: 'p{}' },
          { op: 'remove', path: '/spec/css' },
          { op: 'replace', path: '/spec/displayName', value: 'B' },
          { op: 'add', path: '/spec/schema/fields/-', value: { name: 'c', type: 'number' } },
          { op: 'add', path: '/spec/schema/fields/0', value: { name: 'z', type: 'number' } },
          { op: 'copy', from: '/spec/displayName', path: '/spec/description' },
          { op: 'move', from: '/metadata/annotations/a~1b', path: '/metadata/annotations/e' },
          { op: 'remove', path: '/metadata/annotations/c~1d' },
        ],
        {
          code: 200,
          body: {
            metadata: { generation: 2, annotations: { e: 'x' } },
            spec: {
              displayName: 'B',
              description: 'B',
              schema: { fields: [{ name: 'z' }, { name: 'a' }, { name: 'c' }] },
            },
          },
          absent: ['spec.css', 'metadata.annotations.a/b', 'metadata.annotations.c/d'],
        },
      ),
    ],
  },
  {
    name: 'a JSON patch with a failing operation changes nothing',
    steps: [
      made('templates', template('a', {}, { finalizers: ['trifold.dev/hold'] })),
      ...(
        [
          [{ op: 'test', path: '/spec/displayName', value: 'Other' }],
          [{ op: 'test', path: '/spec/nothing', value: 'x' }],
          [
            { op: 'replace', path: '/spec/displayName', value: 'B' },
            { op: 'remove', path: '/spec/css' },
          ],
          [{ op: 'replace', path: '/metadata/finalizers/-', value: 'trifold.dev/other' }],
          [{ op: 'replace', path: '/spec/defaultOptions/margins', value: 'x' }],
          [{ op: 'add', path: '/spec/schema/fields/-', value: {} }],
          [{ op: 'move', from: '/spec/css', path: '/spec/description' }],
        ] as const
      ).map((operations) => jsonPatch('templates/a', operations, invalid())),
      get('templates/a', {
        code: 200,
        body: { metadata: { generation: 1 }, spec: { displayName: 'Invoice' } },
      }),
    ],
  },
  {
    name: 'a malformed JSON patch is rejected',
    steps: [
      made('templates', template('a')),
      jsonPatch('templates/a', { op: 'remove', path: '/spec/css' }, BAD_REQUEST),
      jsonPatch('templates/a', '[{"op":', BAD_REQUEST),
      jsonPatch('templates/a', '', BAD_REQUEST),
      jsonPatch('templates/a', ['remove'], BAD_REQUEST),
      jsonPatch('templates/a', [{ op: 'erase', path: '/spec/displayName' }], invalid()),
      jsonPatch('templates/a', [{ op: 'replace', value: 'x' }], invalid()),
    ],
  },
  {
    name: 'the result of a JSON patch is validated',
    steps: [
      made('templates', template('a')),
      jsonPatch(
        'templates/a',
        [{ op: 'replace', path: '/spec/displayName', value: 5 }],
        invalid('spec.displayName: FieldValueTypeInvalid'),
      ),
      jsonPatch('templates/a', [{ op: 'remove', path: '/spec/html' }], invalid('spec: FieldValueInvalid')),
      jsonPatch('templates/a', [{ op: 'remove', path: '/spec' }], invalid('spec: FieldValueRequired')),
      jsonPatch('templates/a', [{ op: 'replace', path: '/metadata/name', value: 'b' }], BAD_REQUEST),
    ],
  },
  {
    name: 'a patch of an object that does not exist returns 404',
    steps: [
      mergePatch('templates/a', { spec: {} }, notFound('a')),
      jsonPatch('templates/a', [], notFound('a')),
    ],
  },
  {
    name: 'patch types that custom resources do not support are rejected',
    steps: [
      made('templates', template('a')),
      ...['application/strategic-merge-patch+json', 'application/json', 'text/plain', ''].map((type) =>
        patch(
          type,
          'templates/a',
          { spec: { displayName: 'B' } },
          { expect: { code: 415, reason: 'UnsupportedMediaType' } },
        ),
      ),
    ],
  },
  {
    name: 'server-side apply is rejected',
    only: { server: 'embedded', because: 'a real API server can do it' },
    steps: [
      made('templates', template('a')),
      patch('application/apply-patch+yaml', 'templates/a', template('a'), {
        query: { fieldManager: 'test' },
        expect: { code: 415, reason: 'UnsupportedMediaType' },
      }),
    ],
  },
  {
    name: 'patches can change only the mutable fields of jobs and API keys',
    steps: [
      made('generationjobs', generationJob('g', { data: { a: 1 } })),
      mergePatch(
        'generationjobs/g',
        { spec: { ttlSecondsAfterFinished: 5 } },
        {
          code: 200,
          body: { metadata: { generation: 2 }, spec: { data: { a: 1 }, ttlSecondsAfterFinished: 5 } },
        },
      ),
      mergePatch(
        'generationjobs/g',
        { spec: { templateRef: { name: 'other' } } },
        invalid('spec: FieldValueInvalid'),
      ),
      mergePatch(
        'generationjobs/g/status',
        { status: { phase: 'Completed', size: 5, sha256: DIGEST } },
        { code: 200, body: { metadata: { generation: 2 } } },
      ),
      made('apikeys', apiKey('k')),
      mergePatch('apikeys/k', { spec: { scopes: [] } }, { code: 200, body: { spec: { scopes: [] } } }),
      mergePatch('apikeys/k', { spec: { mode: 'test' } }, invalid('spec: FieldValueInvalid')),
    ],
  },
];
