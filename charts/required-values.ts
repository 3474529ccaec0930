import { inLines, type Schema } from './chart-settings.ts';
import type { ChartValue } from './values-reference.ts';

/**
 * Makes each group, and each value with a default that is not empty, required in values.schema.json. Helm removes a
 * value that a user sets to null, and without the value, the templates would fail with an error about a nil pointer.
 */
export function withRequiredValues(json: string, values: readonly ChartValue[]): string {
  const root = JSON.parse(json) as Schema;
  const required = new Map<Schema, string[]>();
  const visit = (node: Schema | undefined, members: readonly ChartValue[]): void => {
    const group = resolved(root, node);
    if (!group) return;
    const names = members.filter(isNeeded).map(nameOf);
    // Groups with the same schema have different defaults.
    required.set(group, required.get(group)?.filter((name) => names.includes(name)) ?? names);
    for (const value of members) {
      if (value.members) visit(group.properties?.[nameOf(value)], value.members);
    }
  };
  visit(root, values);
  for (const [group, names] of required) {
    delete group.required;
    if (names.length > 0) group.required = names;
  }
  return `${inLines(JSON.stringify(root, null, 2))}\n`;
}

function isNeeded({ path, members, fallback }: ChartValue): boolean {
  if (members) return true;
  // Many clusters limit only memory, because a CPU limit slows a pod down even if its node is idle.
  if (path.endsWith('.limits.cpu')) return false;
  return typeof fallback === 'object' ? Object.keys(fallback ?? {}).length > 0 : fallback !== '';
}

function nameOf({ path }: ChartValue): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function resolved(root: Schema, node: Schema | undefined): Schema | undefined {
  const name = node?.$ref?.replace('#/definitions/', '');
  return name === undefined ? node : root.definitions?.[name];
}
