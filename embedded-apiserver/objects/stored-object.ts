import type { OwnerReference } from '@trifold/crds';
import type { JsonObject } from '../encoding/json.ts';

/** Metadata of a stored object, without empty fields. */
export interface StoredMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid: string;
  /** The revision ID, set by the store on write. */
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

/** An object as stored and served. Immutable once stored: watchers and readers share it. */
export interface StoredObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta;
}

/** Metadata from a caller, with checked types. */
export type SentMeta = Partial<StoredMeta>;

/** An object from a caller. */
export interface SentObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: SentMeta;
}
