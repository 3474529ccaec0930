/** Metadata as the API server returns it (Kubernetes API conventions, "Metadata"). */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  /** Incremented by the server on every spec change, but never on metadata or status changes. */
  generation: number;
  /** RFC 3339, whole seconds. */
  creationTimestamp: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

/** A reference to the owner of this object; the dependent is garbage-collected after its owner is deleted. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Metadata sent by a caller on create. */
export interface DraftMeta {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

/** Any object on the API server. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** One of our custom resources as read from the API server. */
export interface Resource<Spec, Status> extends KubernetesObject {
  spec: Spec;
  status?: Status;
}

/** Object that a caller sends to create a resource; the client fills in apiVersion and kind. */
export type Draft<R extends KubernetesObject> = Omit<R, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  metadata: DraftMeta;
};
