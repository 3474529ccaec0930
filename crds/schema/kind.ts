import type { TSchema } from 'typebox';
import type { PlacedRule } from './cel.ts';
import type { Resource } from './resource.ts';

export const API_GROUP = 'trifold.dev';
export const API_VERSION = 'v1alpha1';

/** A column of `kubectl get` (CustomResourceDefinition `additionalPrinterColumns`). */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /**
   * Simple JSONPath as allowed in CRDs, for instance `.status.phase` or
   * `.status.conditions[?(@.type=="Ready")].status`.
   */
  readonly jsonPath: string;
  readonly description?: string;
  /** Columns with a priority above 0 are shown only with `-o wide`. */
  readonly priority?: number;
}

/** JSONPath of the Ready condition, for printer columns. */
export const READY = '.status.conditions[?(@.type=="Ready")]';

/** Names of a kind, custom or built-in. */
export interface KindName {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/**
 * Definition of a custom resource: types, schema and YAML are derived from it. `R` exists only for the client's types
 * and has no runtime value.
 */
export interface KindDefinition<R = unknown> extends KindName {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: TSchema;
  readonly status: TSchema;
  readonly columns: readonly PrinterColumn[];
  /** Paths usable in field selectors, in addition to metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  readonly rules: readonly PlacedRule[];
  readonly _resource?: R;
}

type KindOptions = Omit<
  KindDefinition,
  'group' | 'version' | 'namespaced' | 'selectableFields' | 'rules' | '_resource'
> & {
  selectableFields?: readonly string[];
  rules?: readonly PlacedRule[];
};

/** Defines a namespaced kind in trifold.dev/v1alpha1. */
export function defineKind<Spec, Status>(options: KindOptions): KindDefinition<Resource<Spec, Status>> {
  return {
    group: API_GROUP,
    version: API_VERSION,
    namespaced: true,
    selectableFields: [],
    rules: [],
    ...options,
  };
}

/** Returns `group/version`, or just the version for the core group. */
export function apiVersionOf(kind: KindName): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}
