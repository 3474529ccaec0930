import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import { describe, expect, it } from 'vitest';
import { decorationSheets } from './decoration-sheets.ts';
import { printingOf } from '../../task/print-settings.ts';

const part = { enabled: true, content: 'x' };
const { geometry } = printingOf({ header: part, footer: part });
const pages = (count: number, height = (_page: number) => 792) =>
  Array.from({ length: count }, (_, page) => ({ width: 612, height: height(page) }));
const KIB = 'x'.repeat(2 ** 10);

describe('sheets of headers and footers', () => {
  it('fit into one document if there are few, with one sheet for identical content on every page', () => {
    const [sheets, ...others] = decorationSheets(
      { header: 'h', footer: PAGE_TOKENS.page },
      geometry,
      pages(3),
      { rootAttributes: ' lang="he" dir="rtl"' },
    );
    expect(others).toEqual([]);
    expect(sheets?.html).toMatch(/^<!doctype html><html lang="he" dir="rtl" style=/);
    expect(sheets).toMatchObject({
      firstPage: 0,
      onPage: [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
    });
  });

  it('have one sheet per shared content and page size, and none for empty content', () => {
    const decorations = {
      header: 'h',
      'header.first': 'f',
      'header.even': '',
      footer: 'g',
      'footer.last': 'l',
    };
    const [sheets] = decorationSheets(
      decorations,
      geometry,
      pages(5, (page) => (page === 2 ? 500 : 792)),
    );
    expect(sheets?.onPage).toEqual([[0], [1], [2], [1], [3]]);
    expect([...decorationSheets({ header: 'h', 'header.odd': '' }, geometry, pages(1))]).toEqual([]);
  });

  it.each([
    ['a header that counts many pages', `${KIB.repeat(100)}${PAGE_TOKENS.page}`, pages(60)],
    ['a small header on very many pages', PAGE_TOKENS.page, pages(1000)],
    ['a large header on pages of many sizes', KIB.repeat(100), pages(60, (page) => 700 + page)],
  ])(
    'are split into documents of at most 250 sheets and little more than 1 MiB: %s',
    (_name, header, printed) => {
      const parts = [...decorationSheets({ header }, geometry, printed)];
      expect(parts.length).toBeGreaterThan(3);
      for (const { html } of parts) {
        expect(html.length).toBeLessThan(1.3 * 2 ** 20);
        expect(html.match(/<trifold-sheet/g)?.length).toBeLessThanOrEqual(250);
      }
      const firstPages = parts.map(({ firstPage }) => firstPage);
      const ends = parts.map(({ firstPage, onPage }) => firstPage + onPage.length);
      expect([...firstPages.slice(1), printed.length]).toEqual(ends);
      for (const { onPage } of parts) expect(onPage[0]).toEqual([0]);
    },
  );
});
