import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { printingOf } from './print-settings.ts';

const settingsOf = (options: RenderOptions) => printingOf(options).settings;

describe('print settings', () => {
  it('default to letter, portrait, margins of 0.4 in and backgrounds', () => {
    expect(settingsOf({})).toEqual({
      paperWidth: 8.5,
      paperHeight: 11,
      marginTop: 0.4,
      marginRight: 0.4,
      marginBottom: 0.4,
      marginLeft: 0.4,
      printBackground: true,
    });
  });

  it.each([
    [{ pageSize: 'a4' }, 8.2677, 11.6929],
    [{ pageSize: 'legal' }, 8.5, 14],
    [{ pageSize: 'letter', orientation: 'landscape' }, 11, 8.5],
    [{ pageSize: 'a4', orientation: 'landscape' }, 11.6929, 8.2677],
  ] as const)('support the paper of %j', (options, width, height) => {
    expect(settingsOf(options).paperWidth).toBeCloseTo(width, 3);
    expect(settingsOf(options).paperHeight).toBeCloseTo(height, 3);
  });

  it('accept margins in inches, millimetres and pixels', () => {
    const margins = { top: '1in', right: '25.4mm', bottom: '96px', left: '0mm' };
    const { marginTop, marginRight, marginBottom, marginLeft } = settingsOf({ margins });
    expect(
      [marginTop, marginRight, marginBottom, marginLeft].map((inches) => Math.round(inches * 1e6) / 1e6),
    ).toEqual([1, 1, 1, 0]);
  });

  it.each([
    { margins: { left: '5in', right: '4in' } },
    { orientation: 'landscape', margins: { top: '100mm', bottom: '150mm' } },
  ] as const)('reject margins that leave no space on the page: %j', (options) => {
    expect(() => settingsOf(options)).toThrow(/options\.margins: .* leave no room/);
  });
});

describe('Locale and time zone', () => {
  const TEMPLATE = { locale: 'de-DE', timeZone: 'Europe/Berlin' };

  it('are those of the request, then those of the template', () => {
    expect(printingOf({}, TEMPLATE).extras).toMatchObject(TEMPLATE);
    expect(printingOf({ locale: 'fr' }, TEMPLATE).extras).toMatchObject({ ...TEMPLATE, locale: 'fr' });
    expect(printingOf({ timeZone: 'UTC' }, {}).extras).toMatchObject({ timeZone: 'UTC' });
    expect(printingOf({}, {}).extras).toBeUndefined();
  });

  it.each([
    [{ locale: 'xx' }, {}, /^options\.locale must be a known language tag/],
    [{}, { timeZone: 'Mars/Base' }, /^options\.timeZone must be a known time zone/],
  ])('that are unknown fail the document: %j %j', (asked, defaults, message) => {
    const failure = { code: 'options_invalid', message: expect.stringMatching(message), retryable: false };
    expect(() => printingOf(asked, defaults)).toThrow(expect.objectContaining(failure));
  });

  it('that are unknown in the template do no harm when the request names others', () => {
    expect(printingOf({ locale: 'fr' }, { locale: 'xx' }).extras).toMatchObject({ locale: 'fr' });
  });
});
