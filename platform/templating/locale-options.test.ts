import { expect, it } from 'vitest';
import { findLocaleProblem } from './locale-options.ts';

it.each([
  {},
  { locale: 'de-DE', timeZone: 'Europe/Berlin' },
  { locale: 'sr-Latn-RS', timeZone: 'UTC' },
  { locale: 'ar-EG-u-nu-latn', timeZone: 'America/Argentina/Buenos_Aires' },
  { locale: 'DE', timeZone: 'etc/gmt+5' },
])('findLocaleProblem accepts %j', (options) => expect(findLocaleProblem(options)).toBeUndefined());

it.each(['', 'de_DE', 'de-', 'not a tag', 'dee-DE', 'xx-YY', 'a'.repeat(100_000)])(
  'findLocaleProblem rejects the locale %.20j',
  (locale) => {
    const message = 'must be a known language tag such as de-DE (BCP 47)';
    expect(findLocaleProblem({ locale, timeZone: 'UTC' })).toEqual({ member: 'locale', message });
  },
);

it.each(['', 'Berlin', 'Europe/Springfield', 'Europe/Berlin\n', 'x'.repeat(100_000)])(
  'findLocaleProblem rejects the time zone %.20j',
  (timeZone) => {
    const message = 'must be a known time zone such as Europe/Berlin (IANA)';
    expect(findLocaleProblem({ locale: 'de-DE', timeZone })).toEqual({ member: 'timeZone', message });
  },
);
