import type { Case, JsonObject } from '../case.ts';
import {
  BAD_REQUEST,
  create,
  generationJob,
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

const UNKNOWN_MEMBERS: JsonObject = {
  ...template('a', { colour: 'red', defaultOptions: { paper: 'a4', pageSize: 'a4' } }),
  extra: { x: 1 },
};
/** fieldValidation: unknown members. */
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
    name: 'fieldValidation=Strict rejects unknown members at every level',
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
    name: 'fieldValidation=Strict accepts free-form members',
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
    name: 'other values of fieldValidation are rejected',
    steps: [
      create('templates', template('a'), unsupportedOption('fieldValidation'), {
        query: { fieldValidation: 'Sometimes' },
      }),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'fieldValidation applies to updates and patches',
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

/** dryRun: everything except the write. */
export const DRY_RUN_CASES: readonly Case[] = [
  {
    name: 'a dry-run creation returns the same response as a real one and writes nothing',
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
    name: 'a dry-run update returns the same response as a real one and writes nothing',
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
    name: 'other values of dryRun are rejected',
    steps: [
      create('templates', template('a'), unsupportedOption('dryRun'), { query: { dryRun: 'Some' } }),
      get('templates/a', notFound('a')),
    ],
  },
];

/** The status subresource. */
export const STATUS_CASES: readonly Case[] = [
  {
    name: 'a creation or an update of the main resource ignores status',
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
    name: 'a status write changes only status',
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
    name: 'a status patch can require a resourceVersion',
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
    name: 'a status write without a change keeps the resourceVersion',
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
    name: 'the status of a missing object returns 404, and a status cannot be created or deleted',
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
