import type { JsonObject } from '../encoding/json.ts';
import { isDateTime } from '@trifold/crds';
import type { StoredObject } from './stored-object.ts';

/** A column of `kubectl get`. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description: string;
  /** Only `-o wide` shows columns with a priority above 0. */
  readonly priority: number;
  cell(object: StoredObject, now: Date): unknown;
}

export const NAME_COLUMN: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  priority: 0,
  cell: (object) => object.metadata.name,
};

export const AGE_COLUMN: TableColumn = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  priority: 0,
  cell: (object, now) => age(object.metadata.creationTimestamp, now),
};

/** The part of each object that a row includes in addition to its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Options for a table. If `definitions` is false, it has no column definitions, as in the later events of a watch. */
export interface TableOptions {
  readonly columns: readonly TableColumn[];
  readonly includeObject: IncludeObject;
  readonly now: Date;
  readonly definitions: boolean;
}

/** Returns a `meta.k8s.io/v1` Table of the objects. */
export function tableOf(objects: readonly StoredObject[], metadata: object, options: TableOptions): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: options.definitions ? columnDefinitions(options.columns) : null,
    rows: objects.map((object) => tableRow(object, options)),
  };
}

export function columnDefinitions(columns: readonly TableColumn[]): object[] {
  return columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format: format ?? '',
    description,
    priority,
  }));
}

export function tableRow(object: StoredObject, options: TableOptions): object {
  return {
    cells: options.columns.map((column) => column.cell(object, options.now) ?? null),
    object: rowObject(object, options.includeObject),
  };
}

function rowObject(object: StoredObject, include: IncludeObject): object | null {
  if (include === 'None') return null;
  if (include === 'Object') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

/** Returns the cell of a custom column: the first value found, or the age for a date. */
export function customCell(
  type: string,
  read: (object: unknown) => unknown[],
): (object: StoredObject, now: Date) => unknown {
  return (object, now) => {
    const value = read(object)[0];
    if (value === undefined || value === null) return null;
    if (type === 'date') return typeof value === 'string' ? age(value, now) : '<invalid>';
    if (type === 'string') return typeof value === 'string' ? value : JSON.stringify(value);
    return (type === 'integer' || type === 'number') === (typeof value === 'number') ? value : null;
  };
}

/** Returns the time since the timestamp in kubectl's age format. */
export function age(timestamp: unknown, now: Date): string {
  if (typeof timestamp !== 'string' || !isDateTime(timestamp)) return '<unknown>';
  return humanDuration(now.getTime() - Date.parse(timestamp));
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The one or two units of a duration, by its upper bound (k8s.io/apimachinery `duration.HumanDuration`). */
const SCALES: readonly { below: number; unit: [number, string]; rest?: [number, string] }[] = [
  { below: 2 * MINUTE, unit: [SECOND, 's'] },
  { below: 10 * MINUTE, unit: [MINUTE, 'm'], rest: [SECOND, 's'] },
  { below: 3 * HOUR, unit: [MINUTE, 'm'] },
  { below: 8 * HOUR, unit: [HOUR, 'h'], rest: [MINUTE, 'm'] },
  { below: 2 * DAY, unit: [HOUR, 'h'] },
  { below: 8 * DAY, unit: [DAY, 'd'], rest: [HOUR, 'h'] },
  { below: 2 * YEAR, unit: [DAY, 'd'] },
  { below: 8 * YEAR, unit: [YEAR, 'y'], rest: [DAY, 'd'] },
  { below: Number.POSITIVE_INFINITY, unit: [YEAR, 'y'] },
];

export function humanDuration(milliseconds: number): string {
  if (milliseconds < -SECOND) return '<invalid>';
  const duration = Math.max(0, milliseconds);
  const scale = SCALES.find(({ below }) => duration < below);
  if (!scale) return '<unknown>';
  const [size, name] = scale.unit;
  const whole = `${Math.floor(duration / size)}${name}`;
  const rest = scale.rest ? Math.floor((duration % size) / scale.rest[0]) : 0;
  return scale.rest && rest > 0 ? `${whole}${rest}${scale.rest[1]}` : whole;
}

export function metadataOf(object: JsonObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object['metadata'] };
}

/** Returns the result of `metadataOf` as JSON, given the metadata's JSON. */
export function metadataJson(metadata: string): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${metadata}}`;
}
