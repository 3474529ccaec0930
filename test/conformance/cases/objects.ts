import type { Cases } from '../case.ts';
import {
  apiKey,
  generationJob,
  get,
  INVOICE,
  object,
  OTHER_UID,
  post,
  put,
  remove,
  template,
} from './requests.ts';

const OWNER = { apiVersion: 'v1', kind: 'Secret', name: 'x', uid: 'u', controller: true };

/** Create, read, replace and delete, and the rules of metadata. */
export const OBJECTS: Cases = {
  'the server sets the identity of a created object': [
    post('templates', template('a', {}, { labels: { team: 'x' }, annotations: { note: 'y' } })),
    get('templates/a'),
  ],
  'every kind can be created, read, listed and deleted': [
    post('apikeys', apiKey('k')),
    post('generationjobs', generationJob('g')),
    get('apikeys/k'),
    get('generationjobs/g'),
    get('apikeys'),
    remove('apikeys/k'),
    get('apikeys/k'),
  ],
  'the response to a deletion contains the name, kind and uid of the object': [
    post('templates', template('a')),
    remove('templates/a'),
    get('templates/a'),
    remove('templates/a'),
    post('templates', template('a')),
  ],
  'a name that is in use is rejected': [post('templates', template('a')), post('templates', template('a'))],
  'generateName generates a name': [
    post('templates', { ...template(''), metadata: { generateName: 'inv-' } }),
    get('templates/$name1'),
  ],
  'an object without a name is rejected': [
    post('templates', { ...template(''), metadata: {} }),
    post('templates', { ...template(''), metadata: undefined }),
  ],
  'an invalid name is rejected': ['UPPER', 'a_b', '.a', '-a', 'a-', 'a..b', 'ä', 'a b', 'a'.repeat(254)].map(
    (name) => post('templates', template(name)),
  ),
  'a valid name is accepted': ['a.b', '0', 'tpl-01jd5x0000000000000000000z', 'a'.repeat(253)].flatMap(
    (name) => [post('templates', template(name)), get(`templates/${name}`)],
  ),
  'a namespace that does not exist rejects new objects and lists none': [
    post('/apis/trifold.dev/v1alpha1/namespaces/nowhere/templates', template('a')),
    get('/apis/trifold.dev/v1alpha1/namespaces/nowhere/templates'),
    get('/apis/trifold.dev/v1alpha1/namespaces/nowhere/templates/a'),
  ],
  'the body must have the namespace, kind and version of the path': [
    post('templates', template('a', {}, { namespace: 'default' })),
    post('templates', object('ApiKey', 'a', INVOICE)),
    post('templates', { ...template('a'), apiVersion: 'trifold.dev/v1' }),
    post('templates', { ...template('a'), apiVersion: undefined }),
    post('templates', { ...template('a'), kind: undefined }),
    get('templates/a'),
  ],
  'a creation ignores metadata that the server sets': [
    post(
      'templates',
      template(
        'a',
        {},
        {
          uid: OTHER_UID,
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          generation: 7,
        },
      ),
    ),
  ],
  'generation counts only changes of spec': [
    post('templates', template('a')),
    put('templates/a', template('a', { displayName: 'New' }, { resourceVersion: '$version1' })),
    put(
      'templates/a',
      template('a', { displayName: 'New' }, { resourceVersion: '$version2', labels: { a: 'b' } }),
    ),
    put(
      'templates/a',
      template('a', { displayName: 'New' }, { resourceVersion: '$version3', labels: { a: 'b' } }),
    ),
  ],
  'an update must contain the current resourceVersion': [
    post('templates', template('a')),
    put('templates/a', template('a', { displayName: 'B' }, { resourceVersion: '$version1' })),
    put('templates/a', template('a', { displayName: 'C' }, { resourceVersion: '$version1' })),
    put('templates/a', template('a', { displayName: 'C' })),
    get('templates/a'),
  ],
  'an update cannot create or rename an object': [
    put('templates/b', template('b')),
    put('templates/b', template('b', {}, { resourceVersion: '1' })),
    post('templates', template('a')),
    put('templates/a', template('b', {}, { resourceVersion: '$version1' })),
    put('templates/a', template('a', {}, { resourceVersion: '$version1', namespace: 'default' })),
    put('templates/a', template('a', {}, { resourceVersion: '$version1', uid: OTHER_UID })),
  ],
  'an update keeps the metadata that the server set at creation': [
    post('templates', template('a')),
    put(
      'templates/a',
      template(
        'a',
        { displayName: 'New' },
        { resourceVersion: '$version1', creationTimestamp: '2001-01-01T00:00:00Z', generation: 9 },
      ),
    ),
  ],
  'invalid labels, annotations, finalizers and owners are rejected': [
    post('templates', template('a', {}, { labels: { 'a b': 'x' } })),
    post('templates', template('a', {}, { labels: { a: 'x y' } })),
    post('templates', template('a', {}, { labels: { a: 'x'.repeat(64) } })),
    post('templates', template('a', {}, { labels: { 'a/b/c': 'x', '/a': 'x', 'A.com/x': 'x', b: '-x' } })),
    post('templates', template('a', {}, { labels: { a: 1 } })),
    post('templates', template('a', {}, { annotations: { 'a b': 'x' } })),
    post('templates', template('a', {}, { annotations: { a: 'x'.repeat(262145) } })),
    post('templates', template('a', {}, { finalizers: ['no slash'] })),
    post(
      'templates',
      template(
        'a',
        {},
        { ownerReferences: [{ apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', name: 'x' }] },
      ),
    ),
    post('templates', template('a', {}, { ownerReferences: [{ kind: 'Template', name: 'x', uid: 'u' }] })),
    post('templates', template('a', {}, { ownerReferences: [{ ...OWNER, kind: '', uid: '' }] })),
    post('templates', template('a', {}, { ownerReferences: [OWNER, { ...OWNER, uid: 'v' }] })),
    post('templates', { ...template('a'), metadata: 'x' }),
    post('templates', template('a', {}, { labels: 'x' })),
    get('templates/a'),
  ],
};
