import type { Cases } from '../case.ts';
import {
  DELETE_OPTIONS,
  generationJob,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  template,
} from './requests.ts';

const UNKNOWN_MEMBERS = {
  ...template('a', { colour: 'red', defaultOptions: { paper: 'a4', pageSize: 'a4' } }),
  extra: { x: 1 },
};

/** fieldValidation: unknown members. */
export const FIELD_VALIDATION: Cases = {
  'unknown members are dropped, with a warning for each': [
    post('templates', UNKNOWN_MEMBERS),
    get('templates/a'),
  ],
  'fieldValidation=Ignore drops unknown members silently': [
    post('templates?fieldValidation=Ignore', UNKNOWN_MEMBERS),
  ],
  'fieldValidation=Warn is the default': [post('templates?fieldValidation=Warn', UNKNOWN_MEMBERS)],
  'fieldValidation=Strict rejects unknown members at every level': [
    post('templates?fieldValidation=Strict', UNKNOWN_MEMBERS),
    post('templates?fieldValidation=Strict', template('a', { colour: 'red' })),
    post('templates?fieldValidation=Strict', template('a', {}, { colour: 'red' })),
    post('templates?fieldValidation=Strict', template('a', { displayname: 'x' })),
    post(
      'templates?fieldValidation=Strict',
      template('a', { schema: { fields: [{ name: 'a', type: 'string', x: 1 }] } }),
    ),
    get('templates/a'),
    post('templates?fieldValidation=Strict', template('a')),
  ],
  'fieldValidation=Strict accepts free-form members': [
    post(
      'generationjobs?fieldValidation=Strict',
      generationJob('g', { data: { colour: 'red', nested: { x: 1 } } }),
    ),
    post(
      'templates?fieldValidation=Strict',
      template('a', {
        schema: { fields: [{ name: 'a', type: 'object', properties: { q: { colour: 1 } } }] },
      }),
    ),
  ],
  'other values of fieldValidation are rejected': [
    post('templates?fieldValidation=Sometimes', template('a')),
    get('templates/a'),
  ],
  'fieldValidation applies to updates and patches': [
    post('templates', template('a')),
    put(
      'templates/a?fieldValidation=Strict',
      template('a', { colour: 'red' }, { resourceVersion: '$version1' }),
    ),
    mergePatch('templates/a?fieldValidation=Strict', { spec: { colour: 'red' } }),
    jsonPatch('templates/a?fieldValidation=Strict', [{ op: 'add', path: '/spec/colour', value: 'red' }]),
    mergePatch('templates/a/status?fieldValidation=Strict', { status: { colour: 'red' } }),
    mergePatch('templates/a', { spec: { colour: 'red' } }),
  ],
};

/** dryRun: everything except the write. */
export const DRY_RUN: Cases = {
  'a dry-run creation returns the same response as a real one and writes nothing': [
    post('templates?dryRun=All', template('a')),
    get('templates/a'),
    post('templates?dryRun=All', template('a', { displayName: '' })),
    post('templates', template('a')),
    post('templates?dryRun=All', template('a')),
  ],
  'a dry-run update returns the same response as a real one and writes nothing': [
    post('templates', template('a')),
    put('templates/a?dryRun=All', template('a', { displayName: 'B' }, { resourceVersion: '$version1' })),
    mergePatch('templates/a?dryRun=All', { spec: { displayName: 'B' } }),
    mergePatch('templates/a/status?dryRun=All', { status: { version: 1 } }),
    get('templates/a'),
  ],
  'a dry-run deletion deletes nothing': [
    post('templates', template('a')),
    remove('templates/a?dryRun=All'),
    remove('templates/a', { ...DELETE_OPTIONS, dryRun: ['All'] }),
    get('templates/a'),
    remove('templates/b?dryRun=All'),
  ],
  'other values of dryRun are rejected': [post('templates?dryRun=Some', template('a')), get('templates/a')],
};

/** The status subresource. */
export const STATUS: Cases = {
  'a creation or an update of the main resource ignores status': [
    post('templates', { ...template('a'), status: { version: 1 } }),
    mergePatch('templates/a', { status: { version: 1 } }),
    put('templates/a', { ...template('a', {}, { resourceVersion: '$version1' }), status: { version: 1 } }),
  ],
  'a status write changes only status': [
    post('templates', template('a')),
    put('templates/a/status', {
      ...template(
        'a',
        { displayName: 'B' },
        { resourceVersion: '$version1', labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a.b/c'] },
      ),
      status: { version: 1 },
    }),
    put('templates/a/status', {
      ...template('a', {}, { resourceVersion: '$version1' }),
      status: { version: 2 },
    }),
    put('templates/a/status', { ...template('a'), status: { version: 2 } }),
    put('templates/a', template('a', { displayName: 'C' }, { resourceVersion: '$version2' })),
    get('templates/a/status'),
  ],
  'a status patch can require a resourceVersion': [
    post('templates', template('a')),
    mergePatch('templates/a/status', {
      metadata: { resourceVersion: '$version1' },
      status: { version: 1, error: { line: 1, column: 2, message: 'm' } },
    }),
    mergePatch('templates/a/status', { metadata: { resourceVersion: '$version1' }, status: { version: 2 } }),
    mergePatch('templates/a/status', { spec: { displayName: 'B' }, status: { error: null } }),
    jsonPatch('templates/a/status', [{ op: 'replace', path: '/status/version', value: 3 }]),
    mergePatch('templates/a/status', { status: null }),
  ],
  'a status write without a change keeps the resourceVersion': [
    post('templates', template('a')),
    mergePatch('templates/a/status', { status: { version: 1 } }),
    mergePatch('templates/a/status', { status: { version: 1 } }),
  ],
  'the status of a missing object returns 404, and a status cannot be created or deleted': [
    get('templates/a/status'),
    mergePatch('templates/a/status', { status: {} }),
    put('templates/a/status', template('a')),
    post('templates', template('a')),
    post('templates/a/status', template('a')),
    remove('templates/a/status'),
  ],
};
