import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { OwnerReference } from '@trifold/crds';

/** What a pod's service account mounts there (Kubernetes, "Accessing the API from a Pod"). */
const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Claims of a token that Kubernetes made for a pod (Kubernetes, "Service account token: schema"). */
interface TokenClaims {
  readonly 'kubernetes.io'?: {
    readonly namespace?: string;
    readonly serviceaccount?: { readonly name: string; readonly uid: string };
  };
}

/** The namespace of the pod that this process runs in; undefined outside a cluster. */
export function podNamespace(file = NAMESPACE_FILE): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The service account of the pod that this process runs in, as the owner of an object in that namespace: when the
 * account is removed, as an uninstallation does, the cluster removes the object. Undefined outside a cluster, in another
 * namespace (owners are looked for beside what they own), and for a token that does not tell.
 */
export function ownServiceAccount(namespace: string, file = TOKEN_FILE): OwnerReference | undefined {
  try {
    const [, claims = ''] = readFileSync(file, 'utf8').split('.');
    const { 'kubernetes.io': told } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as TokenClaims;
    if (told?.namespace !== namespace || !told.serviceaccount) return undefined;
    const { name, uid } = told.serviceaccount;
    return { apiVersion: 'v1', kind: 'ServiceAccount', name, uid };
  } catch {
    return undefined;
  }
}

/** The host's name, for people, and what no other process has, nor this one after a restart. */
export function candidateIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
