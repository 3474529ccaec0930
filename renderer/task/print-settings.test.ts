import { expect, it } from 'vitest';
import { printingOf } from './print-settings.ts';

const TEMPLATE = { locale: 'de-DE', timeZone: 'Europe/Berlin' };

it('The locale and the time zone come from the request, or otherwise from the template', () => {
  expect(printingOf({}, TEMPLATE).extras).toMatchObject(TEMPLATE);
  expect(printingOf({ locale: 'fr' }, TEMPLATE).extras).toMatchObject({ ...TEMPLATE, locale: 'fr' });
  expect(printingOf({ timeZone: 'UTC' }, {}).extras).toMatchObject({ timeZone: 'UTC' });
  expect(printingOf({}, {}).extras).toBeUndefined();
});

it.each([
  [{ locale: 'xx' }, {}, /^options\.locale must be a known language tag/],
  [{}, { timeZone: 'Mars/Base' }, /^options\.timeZone must be a known time zone/],
])('An unknown locale or time zone fails the document: %j %j', (asked, defaults, message) => {
  const failure = { code: 'options_invalid', message: expect.stringMatching(message), retryable: false };
  expect(() => printingOf(asked, defaults)).toThrow(expect.objectContaining(failure));
});

it('An unknown locale or time zone in the template has no effect if the request sets another one', () => {
  expect(printingOf({ locale: 'fr' }, { locale: 'xx' }).extras).toMatchObject({ locale: 'fr' });
});
