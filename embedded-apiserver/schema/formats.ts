import { isDateTime } from '@trifold/crds';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a string matches the format of its schema. Formats that do not apply to strings always match. */
export function matchesFormat(format: string, value: string): boolean {
  if (format === 'date-time') return isDateTime(value);
  if (format === 'byte') return BASE64.test(value);
  return true;
}
