import type { Case, JsonObject } from '../case.ts';
import { BAD_REQUEST, create, get, made, mergePatch, remove, replace } from './requests.ts';

function secret(name: string, members: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...members };
}

function configMap(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
}

function lease(name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, ...metadata }, spec };
}

function namespace(name: string, labels: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

const SECRETS = 'core:secrets';
const CONFIG_MAPS = 'core:configmaps';
const LEASES = 'coordination.k8s.io/v1:leases';
const EVENTS = 'core:events';

const EVENT: JsonObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'a.1' },
  involvedObject: {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'Template',
    name: 'a',
    namespace: '$ns',
    uid: 'u-1',
  },
  type: 'Warning',
  reason: 'DoesNotCompile',
  message: 'line 3',
  source: { component: 'controller' },
  firstTimestamp: '2026-11-21T03:05:00Z',
  lastTimestamp: '2026-11-21T03:05:00Z',
  count: 1,
};

/** The built-in kinds that Trifold uses. */
export const BUILTIN_CASES: readonly Case[] = [
  {
    name: 'namespaces can be created, labelled and read',
    steps: [
      made('/api/v1/namespaces', namespace('$ns-more', { 'trifold.dev/account': '' })),
      get('/api/v1/namespaces/$ns-more', {
        code: 200,
        body: {
          kind: 'Namespace',
          metadata: {
            name: '$ns-more',
            labels: { 'trifold.dev/account': '', 'kubernetes.io/metadata.name': '$ns-more' },
          },
          status: { phase: 'Active' },
        },
        absent: ['metadata.namespace'],
      }),
      create('/api/v1/namespaces', namespace('$ns-more'), {
        code: 409,
        reason: 'AlreadyExists',
        body: { details: { name: '$ns-more', kind: 'namespaces' } },
      }),
      get(
        '/api/v1/namespaces',
        { code: 200, body: { kind: 'NamespaceList', items: [{ metadata: { name: '$ns-more' } }] } },
        { query: { fieldSelector: 'metadata.name=$ns-more', labelSelector: 'trifold.dev/account' } },
      ),
      mergePatch(
        '/api/v1/namespaces/$ns-more',
        { metadata: { labels: { 'trifold.dev/account': null, x: 'y' } } },
        { code: 200, body: { metadata: { labels: { x: 'y' } } } },
      ),
      get('/api/v1/namespaces/nowhere', {
        code: 404,
        reason: 'NotFound',
        body: { details: { name: 'nowhere', kind: 'namespaces' } },
      }),
      get('/api/v1/namespaces/default', { code: 200, body: { metadata: { name: 'default' } } }),
    ],
  },
  ...['UPPER', 'a.b', 'a_b'].map((name) => ({
    name: `the namespace name ${name} is rejected`,
    steps: [
      create('/api/v1/namespaces', namespace(name), invalidBuiltin('metadata.name: FieldValueInvalid')),
    ],
  })),
  {
    name: 'a config map stores its data',
    steps: [
      made(CONFIG_MAPS, { ...configMap('a'), data: { x: 'y' } }),
      get(`${CONFIG_MAPS}/a`, {
        code: 200,
        body: { kind: 'ConfigMap', data: { x: 'y' } },
        absent: ['metadata.generation'],
      }),
      replace(
        `${CONFIG_MAPS}/a`,
        { ...configMap('a'), data: { z: '' } },
        {
          code: 200,
          body: { data: { z: '' } },
          absent: ['data.x'],
        },
      ),
      create(CONFIG_MAPS, { ...configMap('b'), data: { x: 5 } }, BAD_REQUEST),
      remove(`${CONFIG_MAPS}/a`, { code: 200 }),
    ],
  },
  {
    name: 'a secret stores its data and converts stringData to data',
    steps: [
      create(
        SECRETS,
        secret('a', { data: { x: 'aGk=' }, stringData: { y: 'hö' } }),
        {
          code: 201,
          body: { type: 'Opaque', data: { x: 'aGk=', y: 'aMO2' } },
          absent: ['stringData', 'metadata.generation'],
        },
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      get(`${SECRETS}/a`, {
        code: 200,
        body: { kind: 'Secret', data: { x: 'aGk=', y: 'aMO2' } },
        absent: ['stringData'],
      }),
      mergePatch(
        `${SECRETS}/a`,
        { data: { x: null }, stringData: { y: 'z' } },
        { code: 200, body: { data: { y: 'eg==' } }, absent: ['data.x'] },
      ),
      replace(`${SECRETS}/a`, secret('a', { data: { z: 'aGk=' } }), {
        code: 200,
        body: { data: { z: 'aGk=' } },
        absent: ['data.y'],
      }),
      get(
        SECRETS,
        { code: 200, body: { kind: 'SecretList', items: [{ metadata: { name: 'a' } }] } },
        { query: { fieldSelector: 'type=Opaque' } },
      ),
      remove(`${SECRETS}/a`, { code: 200 }),
      get(`${SECRETS}/a`, {
        code: 404,
        reason: 'NotFound',
        body: { details: { name: 'a', kind: 'secrets' } },
      }),
    ],
  },
  {
    name: 'an invalid secret is rejected',
    steps: [
      create(SECRETS, secret('a', { data: { x: 'not base64!' } }), BAD_REQUEST),
      create(SECRETS, secret('a', { data: { x: 5 } }), BAD_REQUEST),
      create(
        SECRETS,
        secret('a', { data: { 'a b': 'aGk=' } }),
        invalidBuiltin('data[a b]: FieldValueInvalid'),
      ),
      create(SECRETS, secret('A'), invalidBuiltin('metadata.name: FieldValueInvalid')),
      create('/api/v1/namespaces/nowhere/secrets', secret('a'), { code: 404, reason: 'NotFound' }),
    ],
  },
  {
    name: 'an immutable secret cannot be changed, only deleted',
    steps: [
      made(SECRETS, secret('a', { immutable: true, data: { x: 'aGk=' } })),
      mergePatch(`${SECRETS}/a`, { data: { x: 'aG8=' } }, invalidBuiltin('data: FieldValueForbidden')),
      mergePatch(`${SECRETS}/a`, { immutable: false }, invalidBuiltin('immutable: FieldValueForbidden')),
      mergePatch(`${SECRETS}/a`, { metadata: { labels: { a: 'b' } } }, { code: 200 }),
      remove(`${SECRETS}/a`, { code: 200 }),
    ],
  },
  {
    name: 'a lease gets a new holder only with its current resourceVersion',
    steps: [
      made(
        LEASES,
        lease('leader', {
          holderIdentity: 'a',
          leaseDurationSeconds: 10,
          acquireTime: '2026-11-21T03:05:00.000000Z',
          renewTime: '2026-11-21T03:05:00.000000Z',
          leaseTransitions: 0,
        }),
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      replace(
        `${LEASES}/leader`,
        lease('leader', { holderIdentity: 'b', leaseDurationSeconds: 10 }, { resourceVersion: '$rv' }),
        { code: 200, body: { spec: { holderIdentity: 'b' } }, absent: ['spec.renewTime'] },
      ),
      replace(
        `${LEASES}/leader`,
        lease('leader', { holderIdentity: 'c', leaseDurationSeconds: 10 }, { resourceVersion: '$rv' }),
        {
          code: 409,
          reason: 'Conflict',
          body: { details: { name: 'leader', group: 'coordination.k8s.io', kind: 'leases' } },
        },
      ),
      get(`${LEASES}/leader`, {
        code: 200,
        body: { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', spec: { holderIdentity: 'b' } },
      }),
      create(
        LEASES,
        lease('bad', { holderIdentity: 'a', leaseDurationSeconds: 0 }),
        invalidBuiltin('spec.leaseDurationSeconds: FieldValueInvalid'),
      ),
      create(LEASES, lease('bad', { holderIdentity: 5 }), BAD_REQUEST),
    ],
  },
  {
    name: 'field selectors find the events of an object',
    steps: [
      made(EVENTS, EVENT),
      made(EVENTS, {
        ...EVENT,
        metadata: { name: 'b.1' },
        involvedObject: { kind: 'Template', name: 'b', namespace: '$ns', uid: 'u-2' },
        type: 'Normal',
      }),
      get(
        EVENTS,
        {
          code: 200,
          body: {
            kind: 'EventList',
            items: [{ metadata: { name: 'a.1' }, reason: 'DoesNotCompile', count: 1 }],
          },
        },
        {
          query: {
            fieldSelector:
              'involvedObject.name=a,involvedObject.namespace=$ns,involvedObject.kind=Template,involvedObject.uid=u-1',
          },
        },
      ),
      get(
        EVENTS,
        { code: 200, body: { items: [{ metadata: { name: 'b.1' } }] } },
        { query: { fieldSelector: 'type!=Warning' } },
      ),
      mergePatch(
        `${EVENTS}/a.1`,
        { count: 2, lastTimestamp: '2026-11-21T03:06:00Z' },
        { code: 200, body: { count: 2 } },
      ),
    ],
  },
  {
    name: 'an event must be in the namespace of its object',
    steps: [
      create(
        EVENTS,
        { ...EVENT, involvedObject: { kind: 'Template', name: 'a', namespace: 'default' } },
        invalidBuiltin('involvedObject.namespace: FieldValueInvalid'),
      ),
    ],
  },
];

function invalidBuiltin(...causes: string[]) {
  return { code: 422, reason: 'Invalid', causes };
}
