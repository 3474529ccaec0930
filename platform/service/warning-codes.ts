import type { WarningCode } from '@trifold/crds';

/** One code of the warnings of documents and emails. */
export interface WarningDescription {
  /** What may be wrong. Markdown. */
  readonly cause: string;
  /** What `name` of the warning is. Markdown. */
  readonly name: string;
  /** What to do. Markdown, with links from docs/. */
  readonly remedy: string;
}

/** Every code of the warnings of documents and emails; docs/errors.md is made from it. */
export const WARNING_DESCRIPTIONS: Readonly<Record<WarningCode, WarningDescription>> = {
  address_relative: {
    cause:
      'Only emails. A link or an image has an address without a scheme, so it leads nowhere in an inbox. Merge tags of mail providers, such as `%unsubscribe_url%`, cause no warning.',
    name: 'The address, or the attribute if the address comes from the data.',
    remedy: 'Write the whole address, beginning with `https:`.',
  },
  alt_missing: {
    cause: 'Only emails. An image has no attribute `alt`. Many inboxes show the text instead of the image.',
    name: 'The address of the image, or `img` if the address comes from the data.',
    remedy: 'Describe the image in `alt`. Write `alt=""` for decoration.',
  },
  binding_missing: {
    cause: 'The template shows a binding that the data does not have. It prints as an empty string.',
    name: 'Its path as in the template.',
    remedy: 'Correct the path or the data. For a value that may be missing, use `{{#if}}` or `default`.',
  },
  content_too_high: {
    cause:
      'A header or footer is higher than its `height`, so the rest is cut off. Previews and test documents also warn about text that a box with `overflow: hidden` cuts off.',
    name: 'Its path in the options, such as `header.first`, or a selector of the box, such as `div.address`.',
    remedy: 'Set a larger `height`, or make the content smaller.',
  },
  content_too_wide: {
    cause:
      'An element is wider than the area between the margins, so all pages were shrunk to fit it, by a third at most. What is still too wide is cut off. In a Word file, the element itself is made narrower. Previews and test documents also warn about text that is wider than its box if the box has `overflow: hidden`, which cuts it off.',
    name: 'A selector of the element, such as `table.lines`.',
    remedy:
      'Make it narrower, with `width: 100%` or `overflow-wrap: anywhere`, or use smaller margins or a landscape page.',
  },
  date_without_offset: {
    cause:
      'Previews and test documents: `formatDate` has a time zone, but the time has no offset. It is read as UTC.',
    name: 'Its path as in the template.',
    remedy: 'Send the time with its offset, such as `2026-11-21T09:30:00+01:00`, or with `Z` for UTC.',
  },
  docx_unsupported: {
    cause:
      'A Word file cannot show something as the PDF does, for example absolute positions, columns or gradients. The message says what the file has instead. Each is reported once for each part of the document.',
    name: 'What is not supported, such as `columns`.',
    remedy:
      'Change the template, or accept the difference. [Formats](formats.md#docx) lists what Word files support.',
  },
  css_variable: {
    cause:
      'Only emails. A declaration uses `var()`, which many inboxes do not support, and its rule has no fallback.',
    name: 'The custom property.',
    remedy: 'Write the value, or a declaration with the value before it.',
  },
  email_clipped: {
    cause:
      'Only emails. The HTML is larger than 102 KB. Gmail shows only the beginning, and a link to the rest.',
    name: '`html`.',
    remedy: 'Use less CSS, fewer elements, or less data. Link to a page with the rest.',
  },
  glyphs_missing: {
    cause:
      'The text uses a script or emoji that no installed font supports. The document may show boxes or blanks instead.',
    name: 'The name of the script, as in Unicode.',
    remedy: '[Install a font, or embed one](how-to/fonts.md#boxes-instead-of-letters).',
  },
  object_order: {
    cause:
      'Previews and test documents: `{{#each}}` runs over an object with fields named like numbers. They come first, not where the data has them.',
    name: 'Its path as in the template.',
    remedy: 'Send an array, which keeps its order: `[{ "year": 2026, "total": 5 }]`.',
  },
  resource_blocked: {
    cause: 'An image, a style sheet or a font was not loaded.',
    name: 'Its URL, with `?…` instead of the query.',
    remedy:
      '[Embed it, or ask an operator to allow its host](how-to/remote-images.md). The message says why it is missing.',
  },
};
