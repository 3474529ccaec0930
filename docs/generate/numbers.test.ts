import { expect, it } from 'vitest';
import { withNumbers } from './numbers.ts';

it.each([
  ['a limit', 'MAX_BATCH_ITEMS', '7', '100'],
  ["a time in the page's unit", 'DOCUMENT_LIFETIME_MS', '1 hours', '24 hours'],
  ['a size', 'TRIFOLD_MAX_BODY', '9 MiB', '2 MiB'],
  ['a bound with a setting', 'unfinishedDocuments', '5', '10,000'],
  ['a word', 'MAX_LOST_ATTEMPTS', 'nine', 'three'],
  ['a list element', 'TRIFOLD_WEBHOOK_RETRY_SCHEDULE.2', '6 minutes', '5 minutes'],
])('withNumbers takes numbers from the code: %s', (_, name, written, wanted) => {
  const mark = (text: string) => `up to <!-- ${name} -->${text}<!-- / --> at most`;
  expect(withNumbers('a.md', mark(written))).toBe(mark(wanted));
});

it.each([
  ['MAX_NOTHING', '7', 'no number MAX_NOTHING'],
  ['WEBHOOK_TIMEOUT_MS', '1 minute', 'not a whole number'],
])('withNumbers throws for %s written as %s', (name, written, message) => {
  expect(() => withNumbers('a.md', `<!-- ${name} -->${written}<!-- / -->`)).toThrow(message);
});
