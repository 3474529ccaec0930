import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { OwnerReference } from '@trifold/crds';

/** Files that Kubernetes mounts for a pod's service account (Kubernetes, "Accessing the API from a Pod"). */
const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Claims of a token that Kubernetes issued for a pod (Kubernetes, "Service account token: schema"). */
interface TokenClaims {
  readonly 'kubernetes.io'?: {
    readonly namespace?: string;
    readonly serviceaccount?: { readonly name: string; readonly uid: string };
  };
}

/** Returns the namespace of the pod that this process runs in, or undefined outside a cluster. */
export function podNamespace(file = NAMESPACE_FILE): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the service account of this process's pod as the owner of an object in that namespace: when the account is
 * deleted, for example on uninstall, the cluster deletes the object. Returns undefined outside a cluster, in another
 * namespace (an owner must be in the namespace of its object), and for a token without these claims.
 */
export function ownServiceAccount(namespace: string, file = TOKEN_FILE): OwnerReference | undefined {
  try {
    const [, claims = ''] = readFileSync(file, 'utf8').split('.');
    const { 'kubernetes.io': claim } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as TokenClaims;
    if (claim?.namespace !== namespace || !claim.serviceaccount) return undefined;
    const { name, uid } = claim.serviceaccount;
    return { apiVersion: 'v1', kind: 'ServiceAccount', name, uid };
  } catch {
    return undefined;
  }
}

/** Returns the host name, for readability, and a suffix that is unique to this run of this process. */
export function candidateIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
