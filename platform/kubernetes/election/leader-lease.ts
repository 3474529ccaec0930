import type { KindName, KubernetesObject } from '@trifold/crds';

/** coordination.k8s.io/v1 Lease, as far as leader election uses it. Times are RFC 3339 with microseconds. */
export interface Lease extends KubernetesObject {
  readonly spec?: LeaseSpec;
}

export interface LeaseSpec {
  /** Empty or absent: nobody holds it. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** How often it changed hands. */
  readonly leaseTransitions?: number;
}

export const LEASE: KindName = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/** Who takes or renews a lease, for how long, and when. */
export interface Claim {
  readonly identity: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** The lease in the hands of that candidate: taken over from whoever had it before, or renewed. */
export function claimed(before: LeaseSpec | undefined, { identity, durationMs, now }: Claim): LeaseSpec {
  const renewTime = toMicroTime(now);
  const own = before?.holderIdentity === identity;
  const transitions = before?.leaseTransitions ?? 0;
  return {
    ...before,
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: (own && before.acquireTime) || renewTime,
    renewTime,
    leaseTransitions: !before || own ? transitions : transitions + 1,
  };
}

/** The lease given up: nobody has to wait for its end. */
export function released(before: LeaseSpec, now: Date): LeaseSpec {
  const time = toMicroTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** metav1.MicroTime: exactly six digits of a second. */
function toMicroTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
