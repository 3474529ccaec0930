import { isObject, type JsonObject } from '../encoding/json.ts';
import type { SchemaNode } from './structural-schema.ts';

/**
 * Prepares a decoded value for storage, in place: removes fields that the schema does not define (and adds their paths
 * to `unknown`), removes null fields, and sets defaults.
 */
export function pruneAndDefault(node: SchemaNode, value: unknown, path: string, unknown: string[]): void {
  if (Array.isArray(value)) {
    if (node.items) {
      const { items } = node;
      value.forEach((item, index) => pruneAndDefault(items, item, `${path}[${index}]`, unknown));
    }
  } else if (isObject(value)) {
    pruneObject(node, value, path, unknown);
    for (const [member, fallback] of node.defaults) {
      if (value[member] === undefined)
        value[member] = typeof fallback === 'object' ? structuredClone(fallback) : fallback;
    }
  }
}

function pruneObject(node: SchemaNode, value: JsonObject, path: string, unknown: string[]): void {
  for (const member of Object.keys(value)) {
    const child = node.properties.get(member) ?? node.additional;
    const childPath = path === '' ? member : `${path}.${member}`;
    if (!child) {
      if (!node.preserve) {
        delete value[member];
        unknown.push(childPath);
      }
    } else if (value[member] === null) {
      delete value[member];
    } else {
      pruneAndDefault(child, value[member], childPath, unknown);
    }
  }
}
