import { CUSTOM_KINDS } from '@trifold/crds';
import { expect, test } from 'vitest';
import type { ConformanceTarget } from './target.ts';

interface Resource {
  name: string;
  verbs: string[];
  categories?: string[];
}

interface ResourceList {
  kind: string;
  groupVersion: string;
  resources: Resource[];
}

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, { parameters?: { name: string }[]; 'x-kubernetes-action'?: string }>>;
  components: { schemas: Record<string, Schema> };
}

interface Schema {
  properties?: Record<string, Schema>;
  description?: string;
  type?: string;
  required?: string[];
  enum?: string[];
  default?: unknown;
  allOf?: { $ref: string }[];
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

/** Resources of /apis/trifold.dev/v1alpha1, sorted by name. */
const SERVED_RESOURCES = CUSTOM_KINDS.flatMap(({ kind, plural, singular, shortNames }) => [
  {
    name: plural,
    singularName: singular,
    namespaced: true,
    kind,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    shortNames,
    categories: ['trifold'],
  },
  { name: `${plural}/status`, singularName: '', namespaced: true, kind, verbs: ['get', 'patch', 'update'] },
]).sort((a, b) => (a.name < b.name ? -1 : 1));

const CORE_RESOURCES = [
  { name: 'namespaces', singularName: 'namespace', namespaced: false, kind: 'Namespace', shortNames: ['ns'] },
  { name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', shortNames: ['cm'] },
  { name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret' },
  { name: 'events', singularName: 'event', namespaced: true, kind: 'Event', shortNames: ['ev'] },
];

const GROUP_VERSION = 'apis/trifold.dev/v1alpha1';

/** Tests discovery and OpenAPI, which are large and differ between servers in irrelevant details. */
export function describeDiscovery(target: () => ConformanceTarget): void {
  const read = async <T>(path: string) => (await target().client.json({ method: 'GET', path })) as T;

  test('discovery lists every kind with its names, verbs, short names and category', async () => {
    const list = await read<ResourceList>(`/${GROUP_VERSION}`);
    expect(list).toMatchObject({ kind: 'APIResourceList', groupVersion: 'trifold.dev/v1alpha1' });
    const served = list.resources
      .map((resource) => ({
        ...resource,
        verbs: resource.verbs.filter((verb) => verb !== 'deletecollection').sort(),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(served).toMatchObject(SERVED_RESOURCES);
    expect(served).toHaveLength(SERVED_RESOURCES.length);
  });

  test('discovery also lists the built-in kinds', async () => {
    const core = await read<ResourceList>('/api/v1');
    for (const expected of CORE_RESOURCES) {
      const found = core.resources.find(({ name }) => name === expected.name);
      expect(found).toMatchObject(expected);
      expect(found?.verbs).toEqual(
        expect.arrayContaining(['create', 'get', 'list', 'patch', 'update', 'watch']),
      );
    }
    const leases = await read<ResourceList>('/apis/coordination.k8s.io/v1');
    expect(leases.resources).toMatchObject([{ name: 'leases', kind: 'Lease', namespaced: true }]);
    const groups = await read<{ groups: { name: string }[] }>('/apis');
    expect(groups.groups.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['trifold.dev', 'coordination.k8s.io']),
    );
  });

  test('discovery has the group versions', async () => {
    const versions = [{ groupVersion: 'trifold.dev/v1alpha1', version: 'v1alpha1' }];
    const group = { kind: 'APIGroup', apiVersion: 'v1', name: 'trifold.dev', versions };
    expect(await read('/apis/trifold.dev')).toMatchObject({ ...group, preferredVersion: versions[0] });
    expect(await read('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const version = { major: '1', minor: expect.any(String), gitVersion: expect.any(String) };
    expect(await read('/version')).toMatchObject(version);
  });

  test('the OpenAPI index links to a document for the group', async () => {
    const index = await read<{ paths: Record<string, { serverRelativeURL: string }> }>('/openapi/v3');
    const url = index.paths[GROUP_VERSION]?.serverRelativeURL;
    expect(url).toMatch(new RegExp(`^/openapi/v3/${GROUP_VERSION}`));
    const document = await read<OpenApi>(String(url));
    expect(document.openapi).toMatch(/^3\./);
    const schemas = Object.values(document.components.schemas);
    for (const { kind } of CUSTOM_KINDS) {
      const schema = schemas.find((each) =>
        each['x-kubernetes-group-version-kind']?.some((gvk) => gvk.kind === kind),
      );
      expect(schema?.['x-kubernetes-group-version-kind']).toEqual([
        { group: 'trifold.dev', version: 'v1alpha1', kind },
      ]);
      expect(Object.keys(schema?.properties ?? {})).toEqual(
        expect.arrayContaining(['apiVersion', 'kind', 'metadata', 'spec', 'status']),
      );
    }
  });

  test('the OpenAPI document has the CRD schema', async () => {
    const document = await read<OpenApi>(`/openapi/v3/${GROUP_VERSION}`);
    const schema = Object.values(document.components.schemas).find((each) =>
      each['x-kubernetes-group-version-kind']?.some((gvk) => gvk.kind === 'Template'),
    );
    expect(schema).toMatchObject({ description: 'An HTML template with data bindings.', required: ['spec'] });
    expect(schema?.properties?.['spec']).toMatchObject({
      required: ['displayName'],
      properties: {
        displayName: { type: 'string', maxLength: 200, description: 'Display name.' },
        state: { default: 'active', enum: ['active', 'draft', 'archived'] },
      },
    });
  });

  test('PATCH accepts fieldValidation, so that clients use server-side validation', async () => {
    const document = await read<OpenApi>(`/openapi/v3/${GROUP_VERSION}`);
    const path = document.paths[`/${GROUP_VERSION}/namespaces/{namespace}/templates/{name}`];
    expect(path).toBeDefined();
    const names = path?.['patch']?.parameters?.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
    expect(path?.['patch']).toMatchObject({
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'trifold.dev', version: 'v1alpha1', kind: 'Template' },
    });
  });
}
