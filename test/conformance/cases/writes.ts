import type { Case, JsonObject } from '../case.ts';
import {
  apiKey,
  BAD_REQUEST,
  create,
  DIGEST,
  generationJob,
  get,
  invalid,
  jsonPatch,
  made,
  mergePatch,
  notFound,
  patch,
  remove,
  replace,
  template,
  unsupportedOption,
} from './requests.ts';

const UNKNOWN_MEMBERS: JsonObject = {
  ...template('a', { colour: 'red', defaultOptions: { paper: 'a4', pageSize: 'a4' } }),
  extra: { x: 1 },
};
const DUPLICATE_MEMBER = JSON.stringify(template('a')).replace(
  '"spec":{',
  '"spec":{"state":"draft","state":"active",',
);

/** fieldValidation: members that the schema does not know, and members given twice. */
export const FIELD_VALIDATION_CASES: readonly Case[] = [
  {
    name: 'unknown members are dropped, with a warning for each',
    steps: [
      create('templates', UNKNOWN_MEMBERS, {
        code: 201,
        warnings: 3,
        body: { spec: { defaultOptions: { pageSize: 'a4' } } },
        absent: ['spec.colour', 'spec.defaultOptions.paper', 'extra'],
      }),
      get('templates/a', { code: 200, absent: ['spec.colour', 'spec.defaultOptions.paper', 'extra'] }),
    ],
  },
  {
    name: 'fieldValidation=Ignore drops unknown members silently',
    steps: [
      create(
        'templates',
        UNKNOWN_MEMBERS,
        { code: 201, absent: ['spec.colour'] },
        { query: { fieldValidation: 'Ignore' } },
      ),
    ],
  },
  {
    name: 'fieldValidation=Warn is the default',
    steps: [
      create(
        'templates',
        UNKNOWN_MEMBERS,
        { code: 201, warnings: 3 },
        { query: { fieldValidation: 'Warn' } },
      ),
    ],
  },
  {
    name: 'fieldValidation=Strict refuses unknown members, wherever they are',
    steps: [
      create('templates', UNKNOWN_MEMBERS, BAD_REQUEST, { query: { fieldValidation: 'Strict' } }),
      create('templates', template('a', { colour: 'red' }), BAD_REQUEST, {
        query: { fieldValidation: 'Strict' },
      }),
      create('templates', template('a', {}, { colour: 'red' }), BAD_REQUEST, {
        query: { fieldValidation: 'Strict' },
      }),
      create('templates', template('a', { displayname: 'x' }), BAD_REQUEST, {
        query: { fieldValidation: 'Strict' },
      }),
      create(
        'templates',
        template('a', { schema: { fields: [{ name: 'a', type: 'string', x: 1 }] } }),
        BAD_REQUEST,
        { query: { fieldValidation: 'Strict' } },
      ),
      get('templates/a', notFound('a')),
      create('templates', template('a'), { code: 201 }, { query: { fieldValidation: 'Strict' } }),
    ],
  },
  {
    name: 'fieldValidation=Strict lets free-form members be',
    steps: [
      create(
        'generationjobs',
        generationJob('g', { data: { colour: 'red', nested: { x: 1 } } }),
        { code: 201 },
        { query: { fieldValidation: 'Strict' } },
      ),
      create(
        'templates',
        template('a', {
          schema: { fields: [{ name: 'a', type: 'object', properties: { q: { colour: 1 } } }] },
        }),
        { code: 201 },
        { query: { fieldValidation: 'Strict' } },
      ),
    ],
  },
  {
    name: 'a member given twice is a warning, or refused under Strict; the last one counts',
    steps: [
      create('templates', DUPLICATE_MEMBER, BAD_REQUEST, { query: { fieldValidation: 'Strict' } }),
      create('templates', DUPLICATE_MEMBER, { code: 201, warnings: 1, body: { spec: { state: 'active' } } }),
    ],
  },
  {
    name: 'fieldValidation has three values',
    steps: [
      create('templates', template('a'), unsupportedOption('fieldValidation'), {
        query: { fieldValidation: 'Sometimes' },
      }),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'fieldValidation holds for replacements and patches',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      replace('templates/a', template('a', { colour: 'red' }, { resourceVersion: '$rv' }), BAD_REQUEST, {
        query: { fieldValidation: 'Strict' },
      }),
      mergePatch('templates/a', { spec: { colour: 'red' } }, invalid('patch: FieldValueInvalid'), {
        query: { fieldValidation: 'Strict' },
      }),
      jsonPatch(
        'templates/a',
        [{ op: 'add', path: '/spec/colour', value: 'red' }],
        invalid('patch: FieldValueInvalid'),
        { query: { fieldValidation: 'Strict' } },
      ),
      mergePatch('templates/a/status', { status: { colour: 'red' } }, invalid('patch: FieldValueInvalid'), {
        query: { fieldValidation: 'Strict' },
      }),
      mergePatch(
        'templates/a',
        { spec: { colour: 'red' } },
        {
          code: 200,
          warnings: 1,
          absent: ['spec.colour'],
          body: { metadata: { generation: 1, resourceVersion: '$rv' } },
        },
      ),
    ],
  },
];

/** dryRun: everything but the writing. */
export const DRY_RUN_CASES: readonly Case[] = [
  {
    name: 'a dry-run creation answers as a real one and writes nothing',
    steps: [
      create(
        'templates',
        template('a'),
        { code: 201, body: { metadata: { name: 'a', generation: 1 }, spec: { state: 'active' } } },
        { query: { dryRun: 'All' }, save: { uid: 'metadata.uid' } },
      ),
      get('templates/a', notFound('a')),
      create(
        'templates',
        template('a', { displayName: '' }),
        invalid('spec.displayName: FieldValueInvalid'),
        { query: { dryRun: 'All' } },
      ),
      made('templates', template('a')),
      create(
        'templates',
        template('a'),
        { code: 409, reason: 'AlreadyExists' },
        { query: { dryRun: 'All' } },
      ),
    ],
  },
  {
    name: 'a dry-run change answers as a real one and writes nothing',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      replace(
        'templates/a',
        template('a', { displayName: 'B' }, { resourceVersion: '$rv' }),
        { code: 200, body: { metadata: { generation: 2 }, spec: { displayName: 'B' } } },
        { query: { dryRun: 'All' } },
      ),
      mergePatch(
        'templates/a',
        { spec: { displayName: 'B' } },
        { code: 200, body: { metadata: { generation: 2 }, spec: { displayName: 'B' } } },
        { query: { dryRun: 'All' } },
      ),
      mergePatch(
        'templates/a/status',
        { status: { version: 1 } },
        { code: 200, body: { status: { version: 1 } } },
        { query: { dryRun: 'All' } },
      ),
      get('templates/a', {
        code: 200,
        body: { metadata: { resourceVersion: '$rv', generation: 1 }, spec: { displayName: 'Invoice' } },
        absent: ['status'],
      }),
    ],
  },
  {
    name: 'a dry-run deletion deletes nothing',
    steps: [
      made('templates', template('a')),
      remove('templates/a', { code: 200 }, undefined, { query: { dryRun: 'All' } }),
      remove('templates/a', { code: 200 }, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }),
      get('templates/a', { code: 200, absent: ['metadata.deletionTimestamp'] }),
      remove('templates/b', notFound('b'), undefined, { query: { dryRun: 'All' } }),
    ],
  },
  {
    name: 'dryRun has one value',
    steps: [
      create('templates', template('a'), unsupportedOption('dryRun'), { query: { dryRun: 'Some' } }),
      get('templates/a', notFound('a')),
    ],
  },
];

/** The status subresource. */
export const STATUS_CASES: readonly Case[] = [
  {
    name: 'status given at creation or to the object itself is dropped',
    steps: [
      create(
        'templates',
        { ...template('a'), status: { version: 1 } },
        { code: 201, absent: ['status'] },
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      mergePatch(
        'templates/a',
        { status: { version: 1 } },
        { code: 200, absent: ['status'], body: { metadata: { resourceVersion: '$rv' } } },
      ),
      replace(
        'templates/a',
        { ...template('a', {}, { resourceVersion: '$rv' }), status: { version: 1 } },
        { code: 200, absent: ['status'], body: { metadata: { resourceVersion: '$rv', generation: 1 } } },
      ),
    ],
  },
  {
    name: 'a status write changes status only',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      replace(
        'templates/a/status',
        {
          ...template(
            'a',
            { displayName: 'B' },
            { resourceVersion: '$rv', labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a.b/c'] },
          ),
          status: { version: 1 },
        },
        {
          code: 200,
          body: { metadata: { generation: 1 }, spec: { displayName: 'Invoice' }, status: { version: 1 } },
          absent: ['metadata.labels', 'metadata.annotations', 'metadata.finalizers'],
        },
        { save: { newer: 'metadata.resourceVersion' } },
      ),
      replace(
        'templates/a/status',
        { ...template('a', {}, { resourceVersion: '$rv' }), status: { version: 2 } },
        { code: 409, reason: 'Conflict' },
      ),
      replace(
        'templates/a/status',
        { ...template('a'), status: { version: 2 } },
        invalid('metadata.resourceVersion: FieldValueInvalid'),
      ),
      replace('templates/a', template('a', { displayName: 'C' }, { resourceVersion: '$newer' }), {
        code: 200,
        body: { metadata: { generation: 2 }, status: { version: 1 } },
      }),
      get('templates/a/status', {
        code: 200,
        body: {
          kind: 'Template',
          metadata: { name: 'a' },
          spec: { displayName: 'C' },
          status: { version: 1 },
        },
      }),
    ],
  },
  {
    name: 'a status patch may name the version it is for',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      mergePatch(
        'templates/a/status',
        {
          metadata: { resourceVersion: '$rv' },
          status: { version: 1, error: { line: 1, column: 2, message: 'm' } },
        },
        { code: 200, body: { status: { version: 1 } } },
      ),
      mergePatch(
        'templates/a/status',
        { metadata: { resourceVersion: '$rv' }, status: { version: 2 } },
        { code: 409, reason: 'Conflict' },
      ),
      mergePatch(
        'templates/a/status',
        { spec: { displayName: 'B' }, status: { error: null } },
        {
          code: 200,
          body: { spec: { displayName: 'Invoice' }, status: { version: 1 } },
          absent: ['status.error'],
        },
      ),
      jsonPatch('templates/a/status', [{ op: 'replace', path: '/status/version', value: 3 }], {
        code: 200,
        body: { status: { version: 3 } },
      }),
      mergePatch('templates/a/status', { status: null }, { code: 200, absent: ['status'] }),
    ],
  },
  {
    name: 'a status write that changes nothing makes no new version',
    steps: [
      made('templates', template('a')),
      mergePatch(
        'templates/a/status',
        { status: { version: 1 } },
        { code: 200 },
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      mergePatch(
        'templates/a/status',
        { status: { version: 1 } },
        { code: 200, body: { metadata: { resourceVersion: '$rv' } } },
      ),
    ],
  },
  {
    name: 'status of what does not exist is not found, and cannot be created or deleted',
    steps: [
      get('templates/a/status', notFound('a')),
      mergePatch('templates/a/status', { status: {} }, notFound('a')),
      replace('templates/a/status', template('a'), notFound('a')),
      made('templates', template('a')),
      create('templates/a/status', template('a'), { code: 405, reason: 'MethodNotAllowed' }),
      remove('templates/a/status', { code: 405, reason: 'MethodNotAllowed' }),
      get('templates/a/scale', { code: 404, reason: 'NotFound' }),
    ],
  },
];

/** Merge and JSON patch (RFC 7386, RFC 6902). */
export const PATCH_CASES: readonly Case[] = [
  {
    name: 'a merge patch changes, adds and removes members, and replaces lists whole',
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
    name: 'a patch that changes nothing makes no new version',
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
    name: 'a patch may name the version it is for',
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
    name: 'a patch cannot change what the object is',
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
    name: 'a merge patch that is no object is refused',
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
    name: 'a JSON patch with an operation that cannot be done changes nothing',
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
    name: 'a JSON patch that is none is refused',
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
    name: 'the result of a JSON patch is checked',
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
    name: 'a patch of what does not exist is not found',
    steps: [
      mergePatch('templates/a', { spec: {} }, notFound('a')),
      jsonPatch('templates/a', [], notFound('a')),
    ],
  },
  {
    name: 'patch types that custom resources do not have are refused',
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
    name: 'server-side apply is refused',
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
    name: 'a job keeps what it was made with through patches of what is free',
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
