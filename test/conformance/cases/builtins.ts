import type { Cases, JsonObject } from '../case.ts';
import { get, mergePatch, patch, post, put, remove } from './requests.ts';

function namespace(name: string, labels: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

function secret(name: string, members: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...members };
}

function configMap(name: string, data: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function lease(name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, ...metadata }, spec };
}

function event(name: string, about: JsonObject, type = 'Warning'): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { kind: 'Template', name: 'a', namespace: '$ns', uid: 'u-1', ...about },
    type,
    reason: 'DoesNotCompile',
    message: 'line 3',
    source: { component: 'controller' },
    firstTimestamp: '2026-11-21T03:05:00Z',
    lastTimestamp: '2026-11-21T03:05:00Z',
    count: 1,
  };
}

const LEASES = 'coordination.k8s.io/v1:leases';

/** The built-in kinds that Trifold uses. */
export const BUILTINS: Cases = {
  'namespaces can be created, labelled and read': [
    post('/api/v1/namespaces', namespace('$ns-more', { 'trifold.dev/account': '' })),
    get('/api/v1/namespaces/$ns-more'),
    post('/api/v1/namespaces', namespace('$ns-more')),
    get('/api/v1/namespaces?fieldSelector=metadata.name=$ns-more&labelSelector=trifold.dev/account'),
    mergePatch('/api/v1/namespaces/$ns-more', {
      metadata: { labels: { 'trifold.dev/account': null, x: 'y' } },
    }),
    get('/api/v1/namespaces/nowhere'),
    get('/api/v1/namespaces/default'),
  ],
  'an invalid name of a namespace is rejected': [
    post('/api/v1/namespaces', namespace('UPPER')),
    post('/api/v1/namespaces', namespace('a.b')),
    post('/api/v1/namespaces', namespace('a_b')),
    post('/api/v1/namespaces', namespace('a'.repeat(64))),
  ],
  'a config map stores its data': [
    post('core:configmaps', configMap('a', { x: 'y' })),
    get('core:configmaps/a'),
    patch('application/strategic-merge-patch+json', 'core:configmaps/a', { data: { x: null, y: '2' } }),
    put('core:configmaps/a', configMap('a', { z: '' })),
    post('core:configmaps', configMap('b', { x: 5 })),
    remove('core:configmaps/a'),
  ],
  'a secret stores its data and converts stringData to data': [
    post('core:secrets', secret('a', { data: { x: 'aGk=' }, stringData: { y: 'hö' } })),
    get('core:secrets/a'),
    mergePatch('core:secrets/a', { data: { x: null }, stringData: { y: 'z' } }),
    put('core:secrets/a', secret('a', { data: { z: 'aGk=' } })),
    get('core:secrets?fieldSelector=type=Opaque'),
    remove('core:secrets/a'),
    get('core:secrets/a'),
  ],
  'an invalid secret is rejected': [
    post('core:secrets', secret('a', { data: { x: 'not base64!' } })),
    post('core:secrets', secret('a', { data: { x: 5 } })),
    post('core:secrets', secret('a', { data: { 'a b': 'aGk=' } })),
    post('core:secrets', secret('A')),
    post('/api/v1/namespaces/nowhere/secrets', secret('a')),
  ],
  'an immutable secret cannot be changed, only deleted': [
    post('core:secrets', secret('a', { immutable: true, data: { x: 'aGk=' } })),
    mergePatch('core:secrets/a', { data: { x: 'aG8=' } }),
    mergePatch('core:secrets/a', { immutable: false }),
    mergePatch('core:secrets/a', { metadata: { labels: { a: 'b' } } }),
    remove('core:secrets/a'),
  ],
  'a lease gets a new holder only with its current resourceVersion': [
    post(
      LEASES,
      lease('leader', {
        holderIdentity: 'a',
        leaseDurationSeconds: 10,
        acquireTime: '2026-11-21T03:05:00.000000Z',
        renewTime: '2026-11-21T03:05:00.000000Z',
        leaseTransitions: 0,
      }),
    ),
    put(
      `${LEASES}/leader`,
      lease('leader', { holderIdentity: 'b', leaseDurationSeconds: 10 }, { resourceVersion: '$version1' }),
    ),
    put(
      `${LEASES}/leader`,
      lease('leader', { holderIdentity: 'c', leaseDurationSeconds: 10 }, { resourceVersion: '$version1' }),
    ),
    get(`${LEASES}/leader`),
    post(LEASES, lease('bad', { holderIdentity: 'a', leaseDurationSeconds: 0 })),
    post(LEASES, lease('bad', { holderIdentity: 5 })),
  ],
  'field selectors find the events of an object': [
    post('core:events', event('a.1', {})),
    post('core:events', event('b.1', { name: 'b', uid: 'u-2' }, 'Normal')),
    get(
      'core:events?fieldSelector=involvedObject.name=a,involvedObject.namespace=$ns,involvedObject.kind=Template,involvedObject.uid=u-1',
    ),
    get('core:events?fieldSelector=type!=Warning'),
    mergePatch('core:events/a.1', { count: 2, lastTimestamp: '2026-11-21T03:06:00Z' }),
  ],
  'an event must be in the namespace of its object': [
    post('core:events', event('a.1', { namespace: 'default' })),
  ],
};
