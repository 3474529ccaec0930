import { expect, it } from 'vitest';
import { isProcessAlive } from './process-identity.ts';

it.each(['', 'x', '1', '-1-1', '12345678901-1'])('does not treat "%s" as a process', (identity) => {
  expect(isProcessAlive(identity)).toBe(false);
});
