import type { Cases } from '../case.ts';
import {
  DELETE_OPTIONS,
  get,
  jsonPatch,
  mergePatch,
  OTHER_UID,
  post,
  put,
  remove,
  template,
} from './requests.ts';

/** Preconditions, finalizers and options of a deletion. */
export const DELETION: Cases = {
  'a deletion can have preconditions on uid and resourceVersion': [
    post('templates', template('a')),
    remove('templates/a', { ...DELETE_OPTIONS, preconditions: { uid: OTHER_UID } }),
    remove('templates/a', { ...DELETE_OPTIONS, preconditions: { resourceVersion: '1' } }),
    remove('templates/a', { ...DELETE_OPTIONS, preconditions: { uid: '$uid1', resourceVersion: '1' } }),
    get('templates/a'),
    remove('templates/a', {
      ...DELETE_OPTIONS,
      preconditions: { uid: '$uid1', resourceVersion: '$version1' },
    }),
    remove('templates/a', { ...DELETE_OPTIONS, preconditions: { uid: '$uid1' } }),
  ],
  'invalid options of a deletion are rejected': [
    post('templates', template('a')),
    remove('templates/a', { ...DELETE_OPTIONS, propagationPolicy: 'Sometimes' }),
    remove('templates/a', { ...DELETE_OPTIONS, dryRun: ['Some'] }),
    get('templates/a'),
  ],
  'an object can be deleted with background propagation': [
    post('templates', template('a')),
    remove('templates/a', { ...DELETE_OPTIONS, propagationPolicy: 'Background' }),
    get('templates/a'),
  ],
  'an object can be deleted with a grace period of zero': [
    post('templates', template('a')),
    remove('templates/a', { ...DELETE_OPTIONS, propagationPolicy: 'Background', gracePeriodSeconds: 0 }),
    get('templates/a'),
  ],
  'an object can be deleted with empty options': [
    post('templates', template('a')),
    remove('templates/a', {}),
    get('templates/a'),
  ],
  'an object can be deleted with options without a kind': [
    post('templates', template('a')),
    remove('templates/a', { gracePeriodSeconds: 0 }),
    get('templates/a'),
  ],
  'options of a deletion can be query parameters': [
    post('templates', template('a')),
    remove('templates/a?propagationPolicy=Background&gracePeriodSeconds=0'),
    get('templates/a'),
  ],
  'an object with finalizers gets a deletionTimestamp and stays until it has no finalizers': [
    post('templates', template('a', {}, { finalizers: ['trifold.dev/hold', 'trifold.dev/other'] })),
    remove('templates/a'),
    remove('templates/a'),
    post('templates', template('a')),
    mergePatch('templates/a', { metadata: { finalizers: ['trifold.dev/other'] } }),
    get('templates/a'),
    mergePatch('templates/a', { metadata: { finalizers: null } }),
    get('templates/a'),
  ],
  'an object that is being deleted accepts other changes but no new finalizer': [
    post('templates', template('a', {}, { finalizers: ['trifold.dev/hold'] })),
    remove('templates/a'),
    mergePatch('templates/a', { metadata: { finalizers: ['trifold.dev/hold', 'trifold.dev/new'] } }),
    mergePatch('templates/a', { metadata: { deletionTimestamp: null } }),
    put(
      'templates/a',
      template('a', { displayName: 'B' }, { resourceVersion: '$version2', finalizers: ['trifold.dev/hold'] }),
    ),
    mergePatch('templates/a/status', { status: { version: 1 } }),
    get('templates/a'),
    jsonPatch('templates/a', [{ op: 'remove', path: '/metadata/finalizers/0' }]),
    get('templates/a'),
  ],
  'an update can remove the last finalizer': [
    post('templates', template('a', {}, { finalizers: ['trifold.dev/hold'] })),
    remove('templates/a'),
    put('templates/a', template('a', {}, { resourceVersion: '$version2' })),
    get('templates/a'),
  ],
  'finalizers can be added and removed without a deletion': [
    post('templates', template('a')),
    mergePatch('templates/a', { metadata: { finalizers: ['trifold.dev/hold'] } }),
    mergePatch('templates/a', { metadata: { finalizers: [] } }),
  ],
};
