import type { Template } from '@trifold/crds';
import { readyOf } from './template-reconciler.ts';

/**
 * Returns what the cache keeps of a template: that it exists, the object that it refers to, and whether its version was
 * checked. Reconcilers read the content from the API server.
 */
export function reducedTemplate({ apiVersion, kind, metadata, spec, status }: Template): Template {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } =
    metadata;
  const ready = readyOf(status);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      resourceVersion,
      generation,
      creationTimestamp,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
    spec: { displayName: '', ...(spec.sourceRef && { sourceRef: spec.sourceRef }) },
    status: {
      ...(status?.revision !== undefined && { revision: status.revision }),
      ...(ready && { conditions: [{ ...ready, reason: '', message: '' }] }),
    },
  };
}
