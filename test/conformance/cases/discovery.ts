import type { Case, JsonObject } from '../case.ts';
import { get } from './requests.ts';

interface ServedKind {
  name: string;
  kind: string;
  singularName: string;
  shortNames: string[];
}

const KINDS: readonly ServedKind[] = [
  { name: 'apikeys', kind: 'ApiKey', singularName: 'apikey', shortNames: ['ak'] },
  { name: 'batches', kind: 'Batch', singularName: 'batch', shortNames: ['bat'] },
  { name: 'generationjobs', kind: 'GenerationJob', singularName: 'generationjob', shortNames: ['gj'] },
  { name: 'templates', kind: 'Template', singularName: 'template', shortNames: ['tpl'] },
  { name: 'usagereports', kind: 'UsageReport', singularName: 'usagereport', shortNames: ['ur'] },
  {
    name: 'webhookdeliveries',
    kind: 'WebhookDelivery',
    singularName: 'webhookdelivery',
    shortNames: ['whd'],
  },
  { name: 'webhookendpoints', kind: 'WebhookEndpoint', singularName: 'webhookendpoint', shortNames: ['whe'] },
];

/** Discovery of the served kinds. Lists that differ between servers are checked only for the relevant entries. */
export const DISCOVERY_CASES: readonly Case[] = [
  {
    name: '/version returns the version of the server and of Kubernetes',
    steps: [
      get('/version', { code: 200, body: { major: '1' } }, { save: { minor: 'minor', git: 'gitVersion' } }),
    ],
  },
  {
    name: 'the core group has version v1',
    steps: [get('/api', { code: 200, body: { kind: 'APIVersions', versions: ['v1'] } })],
  },
  {
    name: 'the group trifold.dev has version v1alpha1',
    steps: [
      get('/apis/trifold.dev', {
        code: 200,
        body: {
          kind: 'APIGroup',
          apiVersion: 'v1',
          name: 'trifold.dev',
          versions: [{ groupVersion: 'trifold.dev/v1alpha1', version: 'v1alpha1' }],
          preferredVersion: { groupVersion: 'trifold.dev/v1alpha1', version: 'v1alpha1' },
        },
      }),
      get('/apis', { code: 200, body: { kind: 'APIGroupList', apiVersion: 'v1' } }),
    ],
  },
  {
    name: 'an OpenAPI document that does not exist returns 404',
    steps: [get('/openapi/v3/apis/trifold.dev/v2', { code: 404, codeOnly: true })],
  },
];

/** Entries of /apis/trifold.dev/v1alpha1. Verbs are compared as sets, without omitted ones (docs/architecture.md). */
export const SERVED_RESOURCES: readonly JsonObject[] = KINDS.flatMap(
  ({ name, kind, singularName, shortNames }) => [
    {
      name,
      singularName,
      namespaced: true,
      kind,
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames,
      categories: ['trifold'],
    },
    { name: `${name}/status`, singularName: '', namespaced: true, kind, verbs: ['get', 'patch', 'update'] },
  ],
);

export const CORE_RESOURCES: readonly JsonObject[] = [
  { name: 'namespaces', singularName: 'namespace', namespaced: false, kind: 'Namespace', shortNames: ['ns'] },
  { name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', shortNames: ['cm'] },
  { name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret' },
  { name: 'events', singularName: 'event', namespaced: true, kind: 'Event', shortNames: ['ev'] },
];
