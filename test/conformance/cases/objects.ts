import type { Case } from '../case.ts';
import {
  apiKey,
  BAD_REQUEST,
  create,
  generationJob,
  get,
  invalid,
  made,
  notFound,
  object,
  remove,
  replace,
  template,
} from './requests.ts';

const INVOICE = { displayName: 'Invoice', html: '<p></p>' };

/** Create, read, replace and delete, and the rules of metadata. */
export const OBJECT_CASES: readonly Case[] = [
  {
    name: 'the server sets the identity of a created object',
    steps: [
      create(
        'templates',
        template('a', {}, { labels: { team: 'x' }, annotations: { note: 'y' } }),
        {
          code: 201,
          body: {
            apiVersion: 'trifold.dev/v1alpha1',
            kind: 'Template',
            metadata: {
              name: 'a',
              namespace: '$ns',
              generation: 1,
              labels: { team: 'x' },
              annotations: { note: 'y' },
            },
            spec: { ...INVOICE, state: 'active' },
          },
          absent: ['status', 'metadata.deletionTimestamp', 'metadata.generateName', 'metadata.selfLink'],
        },
        { save: { uid: 'metadata.uid', rv: 'metadata.resourceVersion', time: 'metadata.creationTimestamp' } },
      ),
      get('templates/a', {
        code: 200,
        body: {
          metadata: { uid: '$uid', resourceVersion: '$rv', creationTimestamp: '$time', generation: 1 },
        },
      }),
    ],
  },
  {
    name: 'every kind can be created, read, listed and deleted',
    steps: [
      made('apikeys', apiKey('k')),
      made('generationjobs', generationJob('g')),
      get('apikeys/k', { code: 200, body: { kind: 'ApiKey', spec: { lastFour: 'abcd' } } }),
      get('generationjobs/g', {
        code: 200,
        body: { kind: 'GenerationJob', spec: { format: 'pdf', mode: 'live', data: {} } },
      }),
      get('apikeys', {
        code: 200,
        body: {
          kind: 'ApiKeyList',
          apiVersion: 'trifold.dev/v1alpha1',
          items: [{ apiVersion: 'trifold.dev/v1alpha1', kind: 'ApiKey', metadata: { name: 'k' } }],
        },
      }),
      remove('apikeys/k', { code: 200, body: { kind: 'Status', status: 'Success' } }),
      get('apikeys/k', notFound('k', 'apikeys')),
    ],
  },
  {
    name: 'the response to a deletion contains the name, kind and uid of the object',
    steps: [
      made('templates', template('a'), { save: { uid: 'metadata.uid' } }),
      remove('templates/a', {
        code: 200,
        body: {
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Success',
          details: { name: 'a', group: 'trifold.dev', kind: 'templates', uid: '$uid' },
        },
      }),
      get('templates/a', notFound('a')),
      remove('templates/a', notFound('a')),
      made('templates', template('a')),
    ],
  },
  {
    name: 'a name that is in use is rejected',
    steps: [
      made('templates', template('a')),
      create('templates', template('a'), {
        code: 409,
        reason: 'AlreadyExists',
        body: { details: { name: 'a', group: 'trifold.dev', kind: 'templates' } },
      }),
    ],
  },
  {
    name: 'generateName generates a name',
    steps: [
      create(
        'templates',
        {
          apiVersion: 'trifold.dev/v1alpha1',
          kind: 'Template',
          metadata: { generateName: 'inv-' },
          spec: INVOICE,
        },
        { code: 201, body: { metadata: { generateName: 'inv-' } } },
        { save: { name: 'metadata.name' } },
      ),
      get('templates/$name', { code: 200, body: { metadata: { name: '$name' } } }),
    ],
  },
  {
    name: 'an object without a name is rejected',
    steps: [
      create(
        'templates',
        { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', metadata: {}, spec: INVOICE },
        invalid('metadata.name: FieldValueRequired'),
      ),
      create(
        'templates',
        { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', spec: INVOICE },
        invalid('metadata.name: FieldValueRequired'),
      ),
    ],
  },
  ...['UPPER', 'a_b', '-a', 'a-', 'a..b', 'ä', 'a b', 'a'.repeat(254)].map((name) => ({
    name: `the name ${name.slice(0, 10)} is rejected`,
    steps: [create('templates', template(name), invalid('metadata.name: FieldValueInvalid'))],
  })),
  ...['a.b', 'a'.repeat(253), '0', 'tpl-01jd5x0000000000000000000z'].map((name) => ({
    name: `the name ${name.slice(0, 30)} is accepted`,
    steps: [made('templates', template(name)), get(`templates/${name}`, { code: 200 })],
  })),
  {
    name: 'a namespace that does not exist rejects new objects and lists none',
    steps: [
      create('/apis/trifold.dev/v1alpha1/namespaces/nowhere/templates', template('a'), {
        code: 404,
        reason: 'NotFound',
        body: { details: { name: 'nowhere', kind: 'namespaces' } },
      }),
      get('/apis/trifold.dev/v1alpha1/namespaces/nowhere/templates', { code: 200, body: { items: [] } }),
      get('/apis/trifold.dev/v1alpha1/namespaces/nowhere/templates/a', notFound('a')),
    ],
  },
  {
    name: 'the body must have the namespace, kind and version of the path',
    steps: [
      create('templates', template('a', {}, { namespace: 'default' }), BAD_REQUEST),
      create('templates', { ...template('a'), kind: 'ApiKey' }, invalid('kind: FieldValueInvalid')),
      create('templates', { ...template('a'), apiVersion: 'trifold.dev/v1' }, BAD_REQUEST),
      create('templates', { ...template('a'), apiVersion: undefined }, BAD_REQUEST),
      create('templates', { ...template('a'), kind: undefined }, BAD_REQUEST),
      get('templates/a', notFound('a')),
    ],
  },
  {
    name: 'a creation ignores metadata that the server sets',
    steps: [
      create(
        'templates',
        template(
          'a',
          {},
          {
            uid: '11111111-1111-1111-1111-111111111111',
            creationTimestamp: '2001-01-01T00:00:00Z',
            deletionTimestamp: '2001-01-01T00:00:00Z',
            generation: 7,
          },
        ),
        { code: 201, body: { metadata: { generation: 1 } }, absent: ['metadata.deletionTimestamp'] },
        { save: { uid: 'metadata.uid', time: 'metadata.creationTimestamp' } },
      ),
    ],
  },
  {
    name: 'generation counts only changes of spec',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      replace(
        'templates/a',
        template('a', { displayName: 'New' }, { resourceVersion: '$rv' }),
        { code: 200, body: { metadata: { generation: 2 }, spec: { displayName: 'New', state: 'active' } } },
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      replace(
        'templates/a',
        template('a', { displayName: 'New' }, { resourceVersion: '$rv', labels: { a: 'b' } }),
        { code: 200, body: { metadata: { generation: 2, labels: { a: 'b' } } } },
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      replace(
        'templates/a',
        template('a', { displayName: 'New' }, { resourceVersion: '$rv', labels: { a: 'b' } }),
        { code: 200, body: { metadata: { generation: 2, resourceVersion: '$rv' } } },
      ),
    ],
  },
  {
    name: 'an update must contain the current resourceVersion',
    steps: [
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      replace('templates/a', template('a', { displayName: 'B' }, { resourceVersion: '$rv' }), { code: 200 }),
      replace('templates/a', template('a', { displayName: 'C' }, { resourceVersion: '$rv' }), {
        code: 409,
        reason: 'Conflict',
        body: { details: { name: 'a', group: 'trifold.dev', kind: 'templates' } },
      }),
      replace(
        'templates/a',
        template('a', { displayName: 'C' }),
        invalid('metadata.resourceVersion: FieldValueInvalid'),
      ),
      get('templates/a', { code: 200, body: { metadata: { generation: 2 }, spec: { displayName: 'B' } } }),
    ],
  },
  {
    name: 'an update cannot create or rename an object',
    steps: [
      replace('templates/b', template('b'), notFound('b')),
      replace('templates/b', template('b', {}, { resourceVersion: '1' }), notFound('b')),
      made('templates', template('a'), { save: { rv: 'metadata.resourceVersion' } }),
      replace('templates/a', template('b', {}, { resourceVersion: '$rv' }), BAD_REQUEST),
      replace(
        'templates/a',
        template('a', {}, { resourceVersion: '$rv', namespace: 'default' }),
        BAD_REQUEST,
      ),
      replace(
        'templates/a',
        template('a', {}, { resourceVersion: '$rv', uid: '11111111-1111-1111-1111-111111111111' }),
        { code: 409, reason: 'Conflict' },
      ),
    ],
  },
  {
    name: 'an update keeps the metadata that the server set at creation',
    steps: [
      made('templates', template('a'), {
        save: {
          rv: 'metadata.resourceVersion',
          uid: 'metadata.uid',
          time: 'metadata.creationTimestamp',
        },
      }),
      replace(
        'templates/a',
        template(
          'a',
          { displayName: 'New' },
          { resourceVersion: '$rv', creationTimestamp: '2001-01-01T00:00:00Z', generation: 9 },
        ),
        { code: 200, body: { metadata: { uid: '$uid', creationTimestamp: '$time', generation: 2 } } },
      ),
    ],
  },
  {
    name: 'invalid labels, annotations, finalizers and owners are rejected',
    steps: [
      create(
        'templates',
        template('a', {}, { labels: { 'a b': 'x' } }),
        invalid('metadata.labels: FieldValueInvalid'),
      ),
      create(
        'templates',
        template('a', {}, { labels: { a: 'x y' } }),
        invalid('metadata.labels: FieldValueInvalid'),
      ),
      create(
        'templates',
        template('a', {}, { labels: { a: 'x'.repeat(64) } }),
        invalid('metadata.labels: FieldValueInvalid'),
      ),
      create('templates', template('a', {}, { labels: { a: 1 } }), BAD_REQUEST),
      create(
        'templates',
        template('a', {}, { annotations: { 'a b': 'x' } }),
        invalid('metadata.annotations: FieldValueInvalid'),
      ),
      create(
        'templates',
        template('a', {}, { annotations: { a: 'x'.repeat(262_145) } }),
        invalid('metadata.annotations: FieldValueTooLong'),
      ),
      create(
        'templates',
        template('a', {}, { finalizers: ['no slash'] }),
        invalid('metadata.finalizers: FieldValueInvalid'),
      ),
      create(
        'templates',
        template(
          'a',
          {},
          { ownerReferences: [{ apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', name: 'x' }] },
        ),
        invalid('metadata.ownerReferences.uid: FieldValueInvalid'),
      ),
      create(
        'templates',
        template('a', {}, { ownerReferences: [{ kind: 'Template', name: 'x', uid: 'u' }] }),
        invalid('metadata.ownerReferences.apiVersion: FieldValueInvalid'),
      ),
      create('templates', { ...template('a'), metadata: 'x' }, BAD_REQUEST),
      create('templates', object('Template', 'a', INVOICE, { labels: 'x' }), BAD_REQUEST),
      get('templates/a', notFound('a')),
    ],
  },
];
