import { invalid } from '../objects/field-error.ts';
import { valueAt, type JsonObject } from '../encoding/json.ts';
import { fieldAt } from '../objects/selectors.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { age } from '../objects/table.ts';
import { builtinKind, column, described, INTEGER, STRING, TIME } from './builtin.ts';

/** Retention of an event after its last write (kube-apiserver `--event-ttl`). */
export const EVENT_TTL_MS = 60 * 60 * 1000;

const REFERENCE: JsonObject = {
  type: 'object',
  properties: {
    kind: STRING,
    namespace: STRING,
    name: STRING,
    uid: STRING,
    apiVersion: STRING,
    resourceVersion: STRING,
    fieldPath: STRING,
  },
};

function text(object: StoredObject, ...path: string[]): string {
  return fieldAt(path)(object);
}

/** `kind/name` of the involved object, in lower case like kubectl. */
function about(object: StoredObject): string {
  const kind = text(object, 'involvedObject', 'kind').toLowerCase();
  const name = text(object, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

/** Candidate paths for the time in the column; the first one that is set is shown. */
const LAST_SEEN = [['series', 'lastObservedTime'], ['lastTimestamp'], ['firstTimestamp'], ['eventTime']];

/** Events of core/v1. `kubectl get` shows the same columns with `-o wide`. */
export const EVENT = builtinKind({
  kind: 'Event',
  shortNames: ['ev'],
  description: 'Event is a report of an event somewhere in the cluster.',
  properties: {
    involvedObject: described(REFERENCE, 'The object that this event is about.'),
    reason: described(STRING, 'Machine-readable reason.'),
    message: described(STRING, 'Human-readable description.'),
    source: {
      type: 'object',
      description: 'Reporter of the event.',
      properties: { component: STRING, host: STRING },
    },
    firstTimestamp: described(TIME, 'Time of the first occurrence.'),
    lastTimestamp: described(TIME, 'Time of the last occurrence.'),
    count: described(INTEGER, 'Number of occurrences.'),
    type: described(STRING, 'Normal or Warning.'),
    eventTime: described(TIME, 'Time of the first occurrence, in microseconds.'),
    series: {
      type: 'object',
      description: 'Series that this event represents.',
      properties: { count: INTEGER, lastObservedTime: TIME },
    },
    action: described(STRING, 'Action on the object.'),
    related: described(REFERENCE, 'Related object.'),
    reportingComponent: described(STRING, 'Controller that reported the event.'),
    reportingInstance: described(STRING, 'Instance of that controller.'),
  },
  required: ['involvedObject'],
  columns: [
    column('Last Seen', 'Time of the last occurrence.', (object, now) =>
      age(
        LAST_SEEN.map((path) => valueAt(object, path)).find((time) => time !== undefined),
        now,
      ),
    ),
    column('Type', 'Normal or Warning.', (object) => text(object, 'type')),
    column('Reason', 'Reason for the event.', (object) => text(object, 'reason')),
    column('Object', 'Object of the event.', about),
    column('Message', 'Description of the event.', (object) => text(object, 'message').trim()),
  ],
  selectable: {
    ...Object.fromEntries(
      ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((member) => [
        `involvedObject.${member}`,
        fieldAt(['involvedObject', member]),
      ]),
    ),
    reason: fieldAt(['reason']),
    reportingComponent: fieldAt(['reportingComponent']),
    source: (object) => text(object, 'source', 'component') || text(object, 'reportingComponent'),
    type: fieldAt(['type']),
  },
  behaviour: {
    validate(object) {
      const namespace = text(object, 'involvedObject', 'namespace');
      const matches =
        namespace === '' ? object.metadata.namespace === 'default' : namespace === object.metadata.namespace;
      return matches
        ? []
        : [invalid('involvedObject.namespace', namespace, 'does not match event.namespace')];
    },
  },
});
