import { isDeepStrictEqual } from 'node:util';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  wrongType,
} from '../objects/field-error.ts';
import type { FieldError } from '../objects/field-error.ts';
import { isDateTime } from '@trifold/crds';
import { isObject, jsonType, type JsonObject } from '../encoding/json.ts';
import type { SchemaNode } from './structural-schema.ts';

/**
 * Validates a value against its schema and adds problems to `errors`. Allows an invalid value that is unchanged from
 * `old` (the API server calls this ratcheting), so that old objects remain writable under a stricter schema.
 */
export function validateValue(
  node: SchemaNode,
  value: unknown,
  location: Location,
  errors: FieldError[],
): void {
  const before = errors.length;
  checkValue(node, value, location, errors);
  if (errors.length > before && location.old !== undefined && isDeepStrictEqual(value, location.old))
    errors.length = before;
}

/** Path of a value and the old value at that path (undefined if there was none). */
export interface Location {
  readonly field: string;
  readonly old: unknown;
}

function checkValue(node: SchemaNode, value: unknown, location: Location, errors: FieldError[]): void {
  if (value === null && node.type === undefined) return;
  const type = jsonType(value);
  const typed = hasType(node, type);
  if (!typed) errors.push(wrongType(location.field, node.type ?? 'any', type));
  if (node.allowed && !node.allowed.some((choice) => isDeepStrictEqual(choice, value)))
    errors.push(notSupported(location.field, value, node.allowed));
  if (typed) checkContent(node, value, location, errors);
}

function checkContent(node: SchemaNode, value: unknown, location: Location, errors: FieldError[]): void {
  if (typeof value === 'string') checkString(node, value, location.field, errors);
  else if (typeof value === 'number') checkNumber(node, value, location.field, errors);
  else if (Array.isArray(value)) checkArray(node, value, location, errors);
  else if (isObject(value)) checkObject(node, value, location, errors);
}

function hasType(node: SchemaNode, type: string): boolean {
  return node.type === undefined || node.type === type || (node.type === 'number' && type === 'integer');
}

function checkString(node: SchemaNode, value: string, field: string, errors: FieldError[]): void {
  const error = textError(node, value, field);
  if (error) errors.push(error);
  if (node.format && !matchesFormat(node.format, value)) errors.push(wrongType(field, node.format, value));
}

/** Returns only the first problem in a string, as the API server does. */
function textError({ bounds, pattern }: SchemaNode, value: string, field: string): FieldError | undefined {
  const { minLength, maxLength } = bounds;
  if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength)
    return tooLong(field, maxLength);
  if (minLength !== undefined && codePoints(value) < minLength)
    return invalid(field, value, `${field} in body should be at least ${minLength} chars long`);
  if (pattern && !pattern.expression.test(value))
    return invalid(field, value, `${field} in body should match '${pattern.source}'`);
  return undefined;
}

/** Length limits count code points, not UTF-16 code units. */
function codePoints(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length - 1; index += 1) {
    const unit = value.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && (value.codePointAt(index) as number) > 0xffff) count -= 1;
  }
  return count;
}

function checkNumber({ bounds }: SchemaNode, value: number, field: string, errors: FieldError[]): void {
  const { minimum, maximum } = bounds;
  if (minimum !== undefined && value < minimum)
    errors.push(invalid(field, value, `${field} in body should be greater than or equal to ${minimum}`));
  if (maximum !== undefined && value > maximum)
    errors.push(invalid(field, value, `${field} in body should be less than or equal to ${maximum}`));
}

function checkArray(node: SchemaNode, value: unknown[], location: Location, errors: FieldError[]): void {
  const { minItems, maxItems } = node.bounds;
  const { field } = location;
  if (minItems !== undefined && value.length < minItems)
    errors.push(invalid(field, value.length, `${field} in body should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(field, value.length, maxItems));
  if (node.items) {
    const { items } = node;
    const olds = Array.isArray(location.old) ? (location.old as unknown[]) : [];
    value.forEach((item, index) =>
      validateValue(items, item, { field: `${field}[${index}]`, old: olds[index] }, errors),
    );
  }
  checkUnique(node, value, field, errors);
}

function checkUnique(node: SchemaNode, value: unknown[], field: string, errors: FieldError[]): void {
  if (node.listType !== 'set' && node.listType !== 'map') return;
  const seen = new Map<string, number>();
  value.forEach((item, index) => {
    const identity = node.listType === 'map' && isObject(item) ? listMapKey(node.listKeys, item) : item;
    const text = JSON.stringify(identity);
    const times = seen.get(text) ?? 0;
    // Reported once per value, at its second occurrence.
    if (times === 1) errors.push(duplicate(`${field}[${index}]`, identity));
    seen.set(text, times + 1);
  });
}

function listMapKey(keys: readonly string[], item: JsonObject): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, item[key]]));
}

function checkObject(node: SchemaNode, value: JsonObject, location: Location, errors: FieldError[]): void {
  const old = isObject(location.old) ? location.old : {};
  for (const member of node.required) {
    if (value[member] === undefined) errors.push(required(memberField(location.field, member)));
  }
  const { maxProperties = Infinity } = node.bounds;
  const count = Object.keys(value).length;
  if (count > maxProperties) errors.push(tooMany(location.field, count, maxProperties));
  for (const member of Object.keys(value)) {
    const child = node.properties.get(member) ?? node.additional;
    if (child)
      validateValue(
        child,
        value[member],
        { field: memberField(location.field, member), old: old[member] },
        errors,
      );
  }
}

function memberField(field: string, member: string): string {
  return field === '' ? member : `${field}.${member}`;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a string matches its schema's format. Formats that do not apply to strings always match. */
function matchesFormat(format: string, value: string): boolean {
  if (format === 'date-time') return isDateTime(value);
  if (format === 'byte') return BASE64.test(value);
  return true;
}
