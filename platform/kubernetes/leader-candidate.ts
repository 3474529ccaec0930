import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** What a pod's service account mounts there (Kubernetes, "Accessing the API from a Pod"). */
const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** The namespace of the pod that this process runs in; undefined outside a cluster. */
export function podNamespace(file = NAMESPACE_FILE): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The host's name, for people, and what no other process has, nor this one after a restart. */
export function candidateIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
