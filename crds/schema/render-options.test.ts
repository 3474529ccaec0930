import { describe, expect, test } from 'vitest';
import { lengthInInches, resolveRenderOptions } from './render-options.ts';

describe('resolveRenderOptions', () => {
  test('takes each field from the first layer that has it', () => {
    const request = { pageSize: 'a4' } as const;
    const template = { pageSize: 'legal', orientation: 'landscape', printBackground: false } as const;
    expect(resolveRenderOptions(request, template)).toEqual({
      ...resolveRenderOptions(),
      pageSize: 'a4',
      orientation: 'landscape',
      printBackground: false,
    });
  });

  test('merges header and footer field by field', () => {
    const resolved = resolveRenderOptions(
      {
        header: { enabled: true, first: { content: '' }, even: { content: 'b' } },
        footer: { height: '9mm' },
      },
      {
        header: { enabled: false, content: 'a', first: { content: 'c', height: '1in' } },
        footer: { content: '2' },
      },
    );
    expect(resolved.header).toEqual({
      enabled: true,
      height: '0.5in',
      content: 'a',
      first: { content: '', height: '1in' },
      last: {},
      even: { content: 'b' },
      odd: {},
    });
    expect(resolved.footer).toMatchObject({ enabled: false, height: '9mm', content: '2' });
  });

  test('ignores custom page dimensions if a higher-priority layer sets a page size', () => {
    const custom = { pageSize: 'custom', width: '4in', height: '6in' } as const;
    expect(resolveRenderOptions({ width: '5in', height: '5in', pageSize: 'custom' }, custom)).toMatchObject({
      width: '5in',
      height: '5in',
    });
    expect(resolveRenderOptions({ pageSize: 'a4' }, custom).pageSize).toBe('a4');
  });

  test('merges the margins of each side separately', () => {
    const margins = { top: '9mm', left: '20px' };
    const resolved = resolveRenderOptions({ margins: { top: '0in' } }, { margins });
    expect(resolved.margins).toEqual({ top: '0in', left: '20px', right: '0.4in', bottom: '0.4in' });
  });

  test('does not change the defaults or the layers', () => {
    const layer = { margins: { top: '1in' } };
    Object.assign(resolveRenderOptions(layer).margins, { left: '7in' });
    expect(resolveRenderOptions().margins.left).toBe('0.4in');
    expect(layer).toEqual({ margins: { top: '1in' } });
  });
});

describe('lengthInInches', () => {
  test.each([
    ['1in', 1],
    ['0.4in', 0.4],
    ['25.4mm', 1],
    ['10mm', 0.393_700_787],
    ['96px', 1],
    ['48px', 0.5],
    ['0in', 0],
    ['0mm', 0],
    ['99999px', 1041.656_25],
  ])('%s is %d inches', (length, inches) => {
    expect(lengthInInches(length)).toBeCloseTo(inches, 6);
  });

  test.each(['1', '1cm', '-1in', '.5in', '1,5in', '', '123456px', '1in\n'])('rejects %j', (text) => {
    expect(() => lengthInInches(text)).toThrow(RangeError);
  });
});
