import { badRequest, unknownPath } from '../objects/status-error.ts';
import type { ServedKind } from '../served-kind.ts';

/** Target of a path below a group version. */
export interface ResourceRoute {
  readonly kind: ServedKind;
  /** Undefined for cluster-scoped kinds and for a list across all namespaces. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** The kinds by `<group>/<version>/<plural>`. */
export type KindIndex = ReadonlyMap<string, ServedKind>;

export function indexKinds(kinds: readonly ServedKind[]): KindIndex {
  return new Map(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]));
}

/**
 * Parses `/api/v1/…` and `/apis/<group>/<version>/…`. Returns undefined if the path is not below a group version;
 * throws StatusError 404 if it is but has no resource.
 */
export function routeResource(path: string, kinds: KindIndex): ResourceRoute | undefined {
  const segments = path.split('/').slice(1).map(decodeSegment);
  const core = segments[0] === 'api';
  if (!core && segments[0] !== 'apis') return undefined;
  const rest = segments.slice(core ? 2 : 3);
  if (rest.length === 0) return undefined;
  const groupVersion = core ? `/${segments[1]}` : `${segments[1]}/${segments[2]}`;
  return routeWithin(groupVersion, rest, kinds);
}

function routeWithin(groupVersion: string, rest: readonly string[], kinds: KindIndex): ResourceRoute {
  const namespaced = rest[0] === 'namespaces' && rest.length > 2 && !isNamespaceItself(groupVersion, rest);
  const namespace = namespaced ? rest[1] : undefined;
  const [plural, name, subresource, ...more] = namespaced ? rest.slice(2) : rest;
  const kind = kinds.get(`${groupVersion}/${plural}`);
  if (!kind || more.length > 0 || name === '' || namespace === '') throw unknownPath();
  return fitting({ kind, namespace, name, subresource });
}

function fitting(route: ResourceRoute): ResourceRoute {
  if (!fitsScope(route) || !hasSubresource(route)) throw unknownPath();
  return route;
}

/** `/api/v1/namespaces/<name>/status` is the namespace's status, not a kind named `status` in it. */
function isNamespaceItself(groupVersion: string, rest: readonly string[]): boolean {
  return groupVersion === '/v1' && rest.length === 3 && rest[2] === 'status';
}

function fitsScope({ kind, namespace, name }: ResourceRoute): boolean {
  return kind.namespaced ? namespace !== undefined || name === undefined : namespace === undefined;
}

function hasSubresource({ kind, subresource }: ResourceRoute): boolean {
  return subresource === undefined || (subresource === 'status' && kind.statusSubresource);
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`the path segment ${JSON.stringify(segment)} is not valid percent-encoding`);
  }
}
