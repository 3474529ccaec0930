import type { Cases } from '../case.ts';
import {
  apiKey,
  DIGEST,
  generationJob,
  get,
  jsonPatch,
  mergePatch,
  OTHER_UID,
  patch,
  post,
  template,
} from './requests.ts';

/** Merge and JSON patch (RFC 7386, RFC 6902). */
export const PATCHES: Cases = {
  'a merge patch changes, adds and removes members, and replaces whole lists': [
    post(
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
    mergePatch('templates/a', {
      metadata: { labels: { x: null, z: '3' } },
      spec: { css: null, description: 'd', schema: { fields: [{ name: 'c', type: 'number' }] } },
    }),
  ],
  'a patch without a change keeps the resourceVersion': [
    post('templates', template('a')),
    mergePatch('templates/a', {}),
    mergePatch('templates/a', { spec: { displayName: 'Invoice' } }),
    mergePatch('templates/a', { spec: { state: null } }),
    jsonPatch('templates/a', []),
    mergePatch('templates/a', { metadata: { generation: 9, uid: null, creationTimestamp: null } }),
  ],
  'a patch can require a resourceVersion': [
    post('templates', template('a')),
    mergePatch('templates/a', { metadata: { resourceVersion: '$version1' }, spec: { displayName: 'B' } }),
    mergePatch('templates/a', { metadata: { resourceVersion: '$version1' }, spec: { displayName: 'C' } }),
    mergePatch('templates/a', { metadata: { resourceVersion: null }, spec: { displayName: 'C' } }),
  ],
  'a patch cannot change the identity of an object': [
    post('templates', template('a')),
    mergePatch('templates/a', { metadata: { name: 'b' } }),
    mergePatch('templates/a', { metadata: { namespace: 'default' } }),
    mergePatch('templates/a', { metadata: { uid: OTHER_UID } }),
    mergePatch('templates/a', { kind: 'ApiKey' }),
    mergePatch('templates/a', { apiVersion: 'v1' }),
    get('templates/a'),
  ],
  'a merge patch that is not an object is rejected': [
    post('templates', template('a')),
    mergePatch('templates/a', '{"spec":'),
    mergePatch('templates/a', ''),
    mergePatch('templates/a', []),
    mergePatch('templates/a', '"text"'),
    mergePatch('templates/a', 'null'),
    get('templates/a'),
  ],
  'a JSON patch applies its operations in order': [
    post(
      'templates',
      template(
        'a',
        { css: 'p{}', schema: { fields: [{ name: 'a', type: 'string' }] } },
        { annotations: { 'a/b': 'x', 'c/d': 'y' } },
      ),
    ),
    jsonPatch('templates/a', [
      { op: 'test', path: '/spec/css', value: 'p{}' },
      { op: 'remove', path: '/spec/css' },
      { op: 'replace', path: '/spec/displayName', value: 'B' },
      { op: 'add', path: '/spec/schema/fields/-', value: { name: 'c', type: 'number' } },
      { op: 'add', path: '/spec/schema/fields/0', value: { name: 'z', type: 'number' } },
      { op: 'copy', from: '/spec/displayName', path: '/spec/description' },
      { op: 'move', from: '/metadata/annotations/a~1b', path: '/metadata/annotations/e' },
      { op: 'remove', path: '/metadata/annotations/c~1d' },
    ]),
  ],
  'a JSON patch with a failing operation changes nothing': [
    post('templates', template('a', {}, { finalizers: ['trifold.dev/hold'] })),
    jsonPatch('templates/a', [{ op: 'test', path: '/spec/displayName', value: 'Other' }]),
    jsonPatch('templates/a', [{ op: 'test', path: '/spec/nothing', value: 'x' }]),
    jsonPatch('templates/a', [
      { op: 'replace', path: '/spec/displayName', value: 'B' },
      { op: 'remove', path: '/spec/css' },
    ]),
    jsonPatch('templates/a', [{ op: 'replace', path: '/metadata/finalizers/-', value: 'trifold.dev/other' }]),
    jsonPatch('templates/a', [{ op: 'replace', path: '/spec/defaultOptions/margins', value: 'x' }]),
    jsonPatch('templates/a', [{ op: 'add', path: '/spec/schema/fields/-', value: {} }]),
    jsonPatch('templates/a', [{ op: 'add', path: '/metadata/finalizers/9', value: 'a/b' }]),
    jsonPatch('templates/a', [{ op: 'move', from: '/spec/css', path: '/spec/description' }]),
    get('templates/a'),
  ],
  'a malformed JSON patch is rejected': [
    post('templates', template('a')),
    jsonPatch('templates/a', { op: 'remove', path: '/spec/css' }),
    jsonPatch('templates/a', '[{"op":'),
    jsonPatch('templates/a', ''),
    jsonPatch('templates/a', ['remove']),
    jsonPatch('templates/a', [{ op: 'add', path: 'spec', value: 1 }]),
    jsonPatch('templates/a', [{ op: 'erase', path: '/spec/displayName' }]),
    jsonPatch('templates/a', [{ op: 'replace', value: 'x' }]),
  ],
  'the result of a JSON patch is validated': [
    post('templates', template('a')),
    jsonPatch('templates/a', [{ op: 'replace', path: '/spec/displayName', value: 5 }]),
    jsonPatch('templates/a', [{ op: 'remove', path: '/spec/html' }]),
    jsonPatch('templates/a', [{ op: 'remove', path: '/spec' }]),
    jsonPatch('templates/a', [{ op: 'replace', path: '/metadata/name', value: 'b' }]),
  ],
  'a patch of an object that does not exist returns 404': [
    mergePatch('templates/a', { spec: {} }),
    jsonPatch('templates/a', []),
  ],
  'patch types that custom resources do not support are rejected': [
    post('templates', template('a')),
    patch('application/strategic-merge-patch+json', 'templates/a', { spec: { displayName: 'B' } }),
    patch('application/json', 'templates/a', { spec: { displayName: 'B' } }),
    patch('text/plain', 'templates/a', { spec: { displayName: 'B' } }),
    patch('', 'templates/a', { spec: { displayName: 'B' } }),
  ],
  'patches can change only the mutable fields of jobs and API keys': [
    post('generationjobs', generationJob('g', { data: { a: 1 } })),
    mergePatch('generationjobs/g', { spec: { ttlSecondsAfterFinished: 5 } }),
    mergePatch('generationjobs/g', { spec: { templateRef: { name: 'other' } } }),
    mergePatch('generationjobs/g/status', { status: { phase: 'Completed', size: 5, sha256: DIGEST } }),
    post('apikeys', apiKey('k')),
    mergePatch('apikeys/k', { spec: { scopes: [] } }),
    mergePatch('apikeys/k', { spec: { mode: 'test' } }),
  ],
};
