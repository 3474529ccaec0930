import { invalid, type FieldError } from '../objects/field-error.ts';
import { valueAt } from '../encoding/json.ts';
import { AGE_COLUMN, NAME_COLUMN } from '../objects/table.ts';
import { serveKind } from '../served-kind.ts';
import { BUILTIN, described, INTEGER, objectSchema, STRING, TIME } from './builtin.ts';

const DESCRIPTION = 'Lease defines a lease concept.';

/** Leases of coordination.k8s.io/v1, for leader election. */
export const LEASE = serveKind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  namespaced: true,
  shortNames: [],
  categories: [],
  description: DESCRIPTION,
  statusSubresource: false,
  openApi: objectSchema(DESCRIPTION, {
    spec: {
      type: 'object',
      description: 'The specification of the lease.',
      properties: {
        holderIdentity: described(STRING, 'Who holds the lease.'),
        leaseDurationSeconds: described(INTEGER, 'How long others wait after renewTime before they take it.'),
        acquireTime: described(TIME, 'When the lease was acquired.'),
        renewTime: described(TIME, 'When the holder last renewed it.'),
        leaseTransitions: described(INTEGER, 'How often it changed hands.'),
        strategy: described(STRING, 'How the holder is chosen.'),
        preferredHolder: described(STRING, 'Who should hold it.'),
      },
    },
  }),
  columns: [
    NAME_COLUMN,
    {
      name: 'Holder',
      type: 'string',
      description: 'Who holds the lease.',
      priority: 0,
      cell: (object) => valueAt(object, ['spec', 'holderIdentity']) ?? '',
    },
    AGE_COLUMN,
  ],
  selectable: {},
  rules: [],
  behaviour: {
    ...BUILTIN,
    validate(object) {
      const errors: FieldError[] = [];
      const duration = valueAt(object, ['spec', 'leaseDurationSeconds']);
      if (typeof duration === 'number' && duration <= 0)
        errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
      const transitions = valueAt(object, ['spec', 'leaseTransitions']);
      if (typeof transitions === 'number' && transitions < 0)
        errors.push(invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
      return errors;
    },
  },
});
