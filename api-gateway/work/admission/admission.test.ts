import { timeOfId } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { Admission, type AdmissionOptions } from './admission.ts';

const ACCOUNT_CREATED = new Date('2026-11-22T12:00:00Z');

it.each([
  ['the clock of the gateway', '2026-11-22T12:00:05Z', '2026-11-22T12:00:05Z'],
  ['its account, if the clock is behind', '2026-11-22T11:58:00Z', '2026-11-22T12:00:00Z'],
])('The ID of new work contains the time of %s', (_whose, now, expected) => {
  const options: Partial<AdmissionOptions> = {
    accounts: { accountCreatedAt: () => ACCOUNT_CREATED },
    clock: new FakeClock(now),
  };
  const admission = new Admission(options as AdmissionOptions);
  expect(timeOfId(admission.newId('gen', 'default'))).toEqual(new Date(expected));
});
