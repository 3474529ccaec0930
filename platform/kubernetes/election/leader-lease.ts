import type { KindName, KubernetesObject } from '@trifold/crds';

/** The fields of a coordination.k8s.io/v1 Lease that leader election uses. Times are RFC 3339 with microseconds. */
export interface Lease extends KubernetesObject {
  readonly spec?: LeaseSpec;
}

export interface LeaseSpec {
  /** Empty or absent when no one holds the lease. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** Number of times the holder changed. */
  readonly leaseTransitions?: number;
}

export const LEASE: KindName = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

/** Identity, duration and time for an acquisition or renewal. */
export interface Claim {
  readonly identity: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** Returns the spec of the lease after the candidate has acquired or renewed it. */
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

/** Returns the spec of the released lease, so that no candidate has to wait for its expiry. */
export function released(before: LeaseSpec, now: Date): LeaseSpec {
  const time = toMicroTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** metav1.MicroTime: exactly six fractional digits of a second. */
function toMicroTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
