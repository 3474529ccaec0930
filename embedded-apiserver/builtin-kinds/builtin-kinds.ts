import { isObject, valueAt } from '../encoding/json.ts';
import { invalid, type FieldError } from '../objects/field-error.ts';
import type { ServedKind } from '../served-kind.ts';
import { AGE_COLUMN, NAME_COLUMN } from '../objects/table.ts';
import { builtinKind, column, described, INTEGER, STRING, TIME } from './builtin.ts';
import { EVENT } from './event.ts';
import { NAMESPACE } from './namespace.ts';
import { SECRET } from './secret.ts';

/** ConfigMaps of core/v1, without binary data. */
const CONFIG_MAP = builtinKind({
  kind: 'ConfigMap',
  shortNames: ['cm'],
  description: 'ConfigMap holds configuration data for pods to consume.',
  properties: {
    data: { type: 'object', additionalProperties: STRING, description: 'Values as strings.' },
  },
  columns: [
    NAME_COLUMN,
    column('Data', 'Number of values.', ({ data }) => (isObject(data) ? Object.keys(data).length : 0)),
    AGE_COLUMN,
  ],
});

/** Leases of coordination.k8s.io/v1, for leader election. */
const LEASE = builtinKind({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  description: 'Lease defines a lease concept.',
  properties: {
    spec: {
      type: 'object',
      description: 'The specification of the lease.',
      properties: {
        holderIdentity: described(STRING, 'Holder of the lease.'),
        leaseDurationSeconds: described(
          INTEGER,
          'Time for which candidates wait after renewTime before they acquire the lease.',
        ),
        acquireTime: described(TIME, 'Time at which the lease was acquired.'),
        renewTime: described(TIME, 'Time of the last renewal.'),
        leaseTransitions: described(INTEGER, 'Number of times the holder has changed.'),
        strategy: described(STRING, 'Strategy for choosing the holder.'),
        preferredHolder: described(STRING, 'Preferred holder.'),
      },
    },
  },
  columns: [
    NAME_COLUMN,
    column('Holder', 'Holder of the lease.', (object) => valueAt(object, ['spec', 'holderIdentity']) ?? ''),
    AGE_COLUMN,
  ],
  behaviour: {
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

/** The built-in Kubernetes kinds that this server supports. */
export const BUILTIN_KINDS: readonly ServedKind[] = [NAMESPACE, CONFIG_MAP, SECRET, EVENT, LEASE];
