import { valueAt } from '../encoding/json.ts';
import { fieldAt } from '../objects/selectors.ts';
import { AGE_COLUMN, NAME_COLUMN } from '../objects/table.ts';
import { builtinKind, column, described, STRING } from './builtin.ts';

/** Namespaces of core/v1. Deleting one deletes its content (see namespace-lifecycle.ts). */
export const NAMESPACE = builtinKind({
  kind: 'Namespace',
  namespaced: false,
  shortNames: ['ns'],
  description: 'Namespace provides a scope for Names.',
  statusSubresource: true,
  properties: {
    spec: {
      type: 'object',
      properties: {
        finalizers: {
          type: 'array',
          items: STRING,
          description: 'List that must be empty before the namespace is removed.',
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: described(STRING, 'Active or Terminating.'),
        conditions: {
          type: 'array',
          items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  },
  columns: [
    NAME_COLUMN,
    column('Status', 'The status of the namespace', (object) => valueAt(object, ['status', 'phase'])),
    AGE_COLUMN,
  ],
  selectable: { 'status.phase': fieldAt(['status', 'phase']) },
  behaviour: {
    nameIsLabel: true,
    prepare(object, old) {
      object.metadata.labels = {
        ...object.metadata.labels,
        'kubernetes.io/metadata.name': object.metadata.name,
      };
      // A real server removes the finalizer through a separate subresource; here only the server removes it.
      object['spec'] = old ? old['spec'] : { finalizers: ['kubernetes'] };
      if (!old) object['status'] = { phase: 'Active' };
    },
  },
});
