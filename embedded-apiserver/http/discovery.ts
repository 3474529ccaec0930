import type { ServedKind } from '../served-kind.ts';

/** The version this server reports; kubectl compares it with its own. */
const KUBERNETES = { major: '1', minor: '34', gitVersion: 'v1.34.0+trifold' };

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const STATUS_VERBS = ['get', 'patch', 'update'];

/** `/version` and legacy discovery, by path. Clients that request aggregated discovery fall back to it. */
export function discoveryDocuments(kinds: readonly ServedKind[]): Map<string, object> {
  const groups = [...new Set(kinds.map((kind) => kind.group).filter((group) => group !== ''))];
  const documents = new Map<string, object>([
    ['/version', versionDocument()],
    ['/api', { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }],
    [
      '/apis',
      { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => apiGroup(group, kinds)) },
    ],
  ]);
  for (const group of groups)
    documents.set(`/apis/${group}`, { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, kinds) });
  for (const [path, served] of groupVersions(kinds)) documents.set(path, resourceList(served));
  documents.set('/', { paths: ['/healthz', '/livez', '/readyz', '/openapi/v3', ...documents.keys()].sort() });
  return documents;
}

/** Groups kinds by the root path of their group version, `/api/v1` or `/apis/<group>/<version>`. */
export function groupVersions(kinds: readonly ServedKind[]): Map<string, ServedKind[]> {
  return Map.groupBy(kinds, ({ group, version }) =>
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
  );
}

function versionDocument(): object {
  return {
    ...KUBERNETES,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: `${process.platform}/${process.arch}`,
  };
}

function apiGroup(name: string, kinds: readonly ServedKind[]): object {
  const versions = [
    ...new Set(kinds.filter(({ group }) => group === name).map(({ version }) => version)),
  ].map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceList(kinds: readonly ServedKind[]): object {
  const [first] = kinds;
  const { group, version } = first as ServedKind;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: kinds.flatMap((kind) => [
      {
        name: kind.plural,
        singularName: kind.singular,
        namespaced: kind.namespaced,
        kind: kind.kind,
        verbs: VERBS,
        ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
        ...(kind.categories.length > 0 && { categories: kind.categories }),
      },
      ...(kind.statusSubresource
        ? [
            {
              name: `${kind.plural}/status`,
              singularName: '',
              namespaced: kind.namespaced,
              kind: kind.kind,
              verbs: STATUS_VERBS,
            },
          ]
        : []),
    ]),
  };
}
