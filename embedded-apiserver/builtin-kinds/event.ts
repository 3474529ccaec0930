import { invalid } from '../objects/field-error.ts';
import { valueAt, type JsonObject } from '../encoding/json.ts';
import { fieldAt } from '../objects/selectors.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { age, NAME_COLUMN, type TableColumn } from '../objects/table.ts';
import { serveKind } from '../served-kind.ts';
import { BUILTIN, described, INTEGER, objectSchema, STRING, TIME } from './builtin.ts';

const DESCRIPTION = 'Event is a report of an event somewhere in the cluster.';

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

function column(name: string, priority: number, description: string, cell: TableColumn['cell']): TableColumn {
  return { name, type: 'string', description, priority, cell };
}

/** `kind/name` of the involved object, in lower case as kubectl writes it. */
function about(object: StoredObject): string {
  const kind = text(object, 'involvedObject', 'kind').toLowerCase();
  const name = text(object, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

/** Returns the time since the first of the timestamps that is set. */
function since(object: StoredObject, now: Date, ...paths: string[][]): string {
  return age(
    paths.map((path) => valueAt(object, path)).find((time) => time !== undefined),
    now,
  );
}

function source(object: StoredObject): string {
  const component = text(object, 'source', 'component') || text(object, 'reportingComponent');
  const host = text(object, 'source', 'host');
  return host === '' ? component : `${component}, ${host}`;
}

/** Events of core/v1. */
export const EVENT = serveKind({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  namespaced: true,
  shortNames: ['ev'],
  categories: [],
  description: DESCRIPTION,
  statusSubresource: false,
  openApi: objectSchema(
    DESCRIPTION,
    {
      involvedObject: described(REFERENCE, 'The object that this event is about.'),
      reason: described(STRING, 'Why it happened, for programs.'),
      message: described(STRING, 'What happened, for people.'),
      source: {
        type: 'object',
        description: 'Who reports it.',
        properties: { component: STRING, host: STRING },
      },
      firstTimestamp: described(TIME, 'When it was first seen.'),
      lastTimestamp: described(TIME, 'When it was last seen.'),
      count: described(INTEGER, 'How often it has occurred.'),
      type: described(STRING, 'Normal or Warning.'),
      eventTime: described(TIME, 'When it was first seen, to the microsecond.'),
      series: {
        type: 'object',
        description: 'The series this event stands for.',
        properties: { count: INTEGER, lastObservedTime: TIME },
      },
      action: described(STRING, 'What was done about the object.'),
      related: described(REFERENCE, 'A second object in it.'),
      reportingComponent: described(STRING, 'The controller that reports it.'),
      reportingInstance: described(STRING, 'The instance of that controller.'),
    },
    ['involvedObject'],
  ),
  columns: [
    column('Last Seen', 0, 'When the event was last seen.', (object, now) =>
      since(
        object,
        now,
        ['series', 'lastObservedTime'],
        ['lastTimestamp'],
        ['firstTimestamp'],
        ['eventTime'],
      ),
    ),
    column('Type', 0, 'Normal or Warning.', (object) => text(object, 'type')),
    column('Reason', 0, 'Why it happened.', (object) => text(object, 'reason')),
    column('Object', 0, 'What the event is about.', about),
    column('Subobject', 1, 'The part of the object.', (object) =>
      text(object, 'involvedObject', 'fieldPath'),
    ),
    column('Source', 1, 'Who reports it.', source),
    column('Message', 0, 'What happened.', (object) => text(object, 'message').trim()),
    column('First Seen', 1, 'When the event was first seen.', (object, now) =>
      since(object, now, ['firstTimestamp'], ['eventTime']),
    ),
    column(
      'Count',
      1,
      'How often it has occurred.',
      (object) => text(object, 'series', 'count') || text(object, 'count') || '1',
    ),
    { ...NAME_COLUMN, priority: 1 },
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
  rules: [],
  behaviour: {
    ...BUILTIN,
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
