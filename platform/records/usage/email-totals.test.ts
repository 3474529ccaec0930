import { expect, it } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { reportUnreadable } from './email-totals.ts';

it('logs each unreadable object once with its key and counts every read', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  let count = 0;
  const counter = { inc: () => (count += 1) };
  const unreadable = reportUnreadable(createLogger({ name: 'test', level: 'info', destination }), counter);
  for (const key of ['usage/20261121/a', 'usage/20261121/b', 'usage/20261121/a'])
    unreadable.note(key, new Error('why'));
  const keys = lines.map((line) => (JSON.parse(line) as { key: string }).key);
  expect(keys).toEqual(['usage/20261121/a', 'usage/20261121/b']);
  expect(count).toBe(3);
});
