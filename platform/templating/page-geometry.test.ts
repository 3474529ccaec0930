import { resolveRenderOptions, type RenderOptions } from '@trifold/crds';
import { expect, it } from 'vitest';
import { findPageProblem, pageGeometry } from './page-geometry.ts';

const problemOf = (options: RenderOptions) =>
  findPageProblem(pageGeometry(resolveRenderOptions(options)))?.message;

it.each([
  ['the defaults', {}],
  ['margins that leave a strip', { margins: { left: '4in', right: '4.4in' } }],
  ['margins for a landscape page', { orientation: 'landscape', margins: { left: '6in', right: '4in' } }],
  ['margins for a long page', { pageSize: 'legal', margins: { top: '12in' } }],
] as const)('Page geometry leaves space for content with %s', (_what, options) => {
  expect(problemOf(options)).toBeUndefined();
});

it.each([
  ['the whole width', { margins: { left: '4.25in', right: '4.25in' } }, 'left and right'],
  ['more than the height', { margins: { top: '11in' } }, 'top and bottom'],
  ['the height in landscape', { orientation: 'landscape', margins: { top: '8.2in' } }, 'top and bottom'],
  [
    'the width of an A4 page in millimetres',
    { pageSize: 'a4', margins: { left: '110mm', right: '100mm' } },
    'left and right',
  ],
] as const)('Page geometry leaves no space if the margins take up %s', (_what, options, sides) => {
  expect(problemOf(options)).toContain(sides);
});

it('Page geometry leaves no space on the first page if its header and footer take up the whole height', () => {
  const decoration = { enabled: true, first: { height: '5in' } };
  expect(problemOf({ header: decoration })).toBeUndefined();
  expect(
    problemOf({
      header: { ...decoration, enabled: false },
      footer: { ...decoration, first: { height: '11in' } },
    }),
  ).toBe('top and bottom and footer together leave no room on the first page');
  expect(problemOf({ header: decoration, footer: { ...decoration, first: { height: '5.2in' } } })).toMatch(
    /^top and bottom and header and footer together leave no room on the first page$/,
  );
  expect(problemOf({ header: { enabled: true, height: '11in', first: { height: '0in' } } })).toMatch(
    /on the page$/,
  );
});
