import { emails as messages } from '../messages/emails.ts';

/** Values of bindings. */
export type Data = Readonly<Record<string, unknown>>;

/** Reads data that a person typed. Returns them, or what is wrong with them. */
export function dataOf(typed: string): { readonly data?: Data; readonly error?: string } {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch (error) {
    return { error: messages.notJson(error instanceof Error ? error.message : '') };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { data: value as Data } : { error: messages.notObject };
}
