import type { OwnerReference } from '@trifold/crds';
import type { JsonObject } from '../encoding/json.ts';

/** Metadata of an object as it is kept; members without a value are left out. */
export interface StoredMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid: string;
  /** Set by the store when it writes: the id of the revision. */
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

/** An object as it is kept and served. Never changed once it is stored: watchers and readers share it. */
export interface StoredObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta;
}

/** Metadata as a caller sends it, types already checked. */
export type SentMeta = Partial<StoredMeta>;

/** An object as a caller sends it. */
export interface SentObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: SentMeta;
}
