/** Page parts and helper calls that the user inserts into a template. */
export const insertions = {
  open: 'Insert helper or snippet',
  invalidOptions: 'The options are not valid JSON.',
  title: 'Insert',
  search: 'Search helpers and snippets',
  snippets: {
    table: {
      label: 'Table with sums',
      description:
        'Lines with quantity, price and amount, then net, tax and total. The header row repeats on every page.',
    },
    address: {
      label: 'Address window',
      description:
        '85 by 45 mm, positioned for an envelope window (DIN 5008, form B), on a page with 20 mm margins.',
    },
    pageNumbers: { label: 'Page numbers', description: 'Page 1 of 3 in the footer of every page.' },
    pageBreak: { label: 'Page break', description: 'Continues on a new page.' },
    together: { label: 'Keep together', description: 'Content that stays on one page.' },
  },
};
