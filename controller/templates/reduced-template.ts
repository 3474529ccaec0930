import type { Template } from '@trifold/crds';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';
import { readyOf } from './template-reconciler.ts';

/**
 * Returns the cached part of a template: its identity, the object it refers to, and whether its version was checked.
 * Reconcilers read the content from the API server.
 */
export function reducedTemplate({ apiVersion, kind, metadata, spec, status }: Template): Template {
  const ready = readyOf(status);
  return {
    apiVersion,
    kind,
    metadata: identityMetadata(metadata),
    spec: { displayName: '', ...(spec.sourceRef && { sourceRef: spec.sourceRef }) },
    status: {
      ...(status?.revision !== undefined && { revision: status.revision }),
      ...(ready && { conditions: [{ ...ready, reason: '', message: '' }] }),
    },
  };
}
