import type { WarningCode } from '@trifold/crds';

/** A warning code for documents and emails. */
export interface WarningDescription {
  /** What may be wrong. Markdown. */
  readonly cause: string;
  /** Meaning of the warning's `name`. Markdown. */
  readonly name: string;
  /** Part of a template that causes it, or its message. One line of code. */
  readonly example: string;
  /** What to do. Markdown, with links from docs/. */
  readonly remedy: string;
}

/** Every warning code for documents and emails; docs/errors.md is generated from it. */
export const WARNING_DESCRIPTIONS: Readonly<Record<WarningCode, WarningDescription>> = {
  address_relative: {
    cause:
      'Emails only. A link, an image or a form has a URL without a scheme, so it does not work in an email. Merge tags from email providers, such as `%unsubscribe_url%`, cause no warning.',
    name: 'The address, or the attribute if the address comes from the data.',
    example: '<a href="/orders">',
    remedy: 'Write the whole address, beginning with `https:`.',
  },
  alt_missing: {
    cause:
      'Emails, and tagged PDFs with a [`conformance`](how-to/accessible-documents.md). An image has no `alt` attribute; in PDFs, `title` and `aria-label` count too. Many email clients show the `alt` text instead of the image, and screen readers read it. In PDFs, screen readers also skip other drawings without a description, such as inline SVG, the content of frames, text and images with a CSS `filter`, and text of `::before` and `::after`.',
    name: 'In emails, the address of the image, or `img` if the address comes from the data. In PDFs, a selector for the element.',
    example: '<img src="https://example.com/a.png">',
    remedy:
      'Describe the image in `alt`, and other drawings in `aria-label`. Write `alt=""` or `aria-hidden="true"` for decoration. Remove filters, and write text in the HTML.',
  },
  binding_missing: {
    cause:
      'The template uses a binding for which the data has no value. The binding prints as an empty string.',
    name: 'The path, as written in the template.',
    example: 'Hello {{customer.nmae}}',
    remedy: 'Correct the path or the data. For a value that may be missing, use `{{#if}}` or `default`.',
  },
  binding_not_text: {
    cause: 'The template prints an object, or a list of objects, as `[object Object]`.',
    name: 'The path, as written in the template.',
    example: 'Dear {{customer}}',
    remedy:
      'Print a field of the object, such as `{{customer.name}}`, or loop over the list with `{{#each}}`.',
  },
  conformance_broken: {
    cause:
      'PDFs with a [`conformance`](how-to/accessible-documents.md). The document failed with [`conformance_failed`](#conformance_failed), whose message states the first problem. This is another one.',
    name: 'A selector for the element, or the standard, such as `PDF/UA-1`.',
    example: '<h1>Report</h1><h3>Summary</h3>',
    remedy: 'Fix the problem that the message describes.',
  },
  content_too_high: {
    cause:
      'A header or footer is taller than its `height`, so the rest is cut off. Previews and test documents also warn about text that a box with `overflow: hidden` cuts off.',
    name: 'The path of the header or footer in the options, such as `header.first`, or a selector for the box, such as `div.address`.',
    example: '<div style="height: 20px; overflow: hidden">A long address</div>',
    remedy: 'Set a larger `height`, or make the content smaller.',
  },
  content_too_wide: {
    cause:
      'An element or its text is wider than the area between the margins, so all pages were shrunk to fit it, by a third at most. Anything that is still too wide is cut off. Right-to-left pages are not shrunk; previews and test documents warn about what is cut off. In a Word file, the element itself is made narrower. Previews and test documents also warn about text that is cut off: by a box with `overflow: hidden`, or by the page if its box has `position: fixed`.',
    name: 'A selector for the element, such as `table.lines`.',
    example: '<table style="width: 900px">',
    remedy:
      'Make the element narrower, with `width: 100%` or `overflow-wrap: anywhere`, or use smaller margins or a landscape page.',
  },
  date_without_offset: {
    cause:
      'Previews and test keys: `formatDate` has a time zone other than UTC, but the time has no offset. The time is read as UTC.',
    name: 'The path, as written in the template.',
    example: '{{formatDate "2026-11-21T09:30:00" timeZone="Europe/Berlin"}}',
    remedy: 'Send the time with its offset, such as `2026-11-21T09:30:00+01:00`, or with `Z` for UTC.',
  },
  docx_unsupported: {
    cause:
      'A Word file cannot render a feature or follow an option in the same way as a PDF, for example absolute positions, columns, gradients or `scale`. The message describes the replacement. Each feature is reported once per part of the document.',
    name: 'The unsupported feature or option, such as `columns`.',
    example: '<div style="columns: 2">',
    remedy:
      'Change the template, or accept the difference. [Formats](formats.md#docx) lists the features that Word files support.',
  },
  css_variable: {
    cause:
      'Emails only. A declaration uses `var()`, which many email clients do not support, and its rule has no fallback.',
    name: 'The custom property.',
    example: 'p { color: var(--brand) }',
    remedy: 'Write the value itself, or put a declaration with a plain value before this one.',
  },
  email_clipped: {
    cause:
      'Emails only. The HTML is larger than 102 KB. Gmail shows only the beginning, and a link to the rest.',
    name: '`html`.',
    example: 'the HTML is 131 KB',
    remedy: 'Use less CSS, fewer elements, or less data. Link to a page with the rest.',
  },
  element_unsupported: {
    cause:
      'The document contains an element that prints nothing: scripts, including those in attributes such as `onload`, do not run unless an operator allows them, and frames, media and plug-ins are not loaded. A frame, `object` or `embed` with a `data:` URL or `srcdoc` is shown, without a warning.',
    name: 'Its tag name: `script`, `canvas`, `iframe`, `frame`, `video`, `audio`, `object` or `embed`.',
    example: '<canvas id="chart"></canvas>',
    remedy:
      'Use HTML, an image or an SVG instead. Helpers draw [bar codes and QR codes](template-helpers.md).',
  },
  font_missing: {
    cause:
      'A `font-family` list names no family that is installed, is an alias of an installed one, or is declared with `@font-face`. Generic families such as `sans-serif` do not count. The text uses a default font. Only lists in the template are checked. Only previews and test documents in PDF, PNG, JPEG or WebP format have this warning.',
    name: 'The list.',
    example: 'body { font-family: "Acme Sans", sans-serif }',
    remedy: '[Install a font, or embed one](how-to/fonts.md), or use a family that is installed.',
  },
  glyphs_missing: {
    cause:
      'The text uses a script or emoji that no installed font supports. The document may show boxes or blanks instead.',
    name: 'The Unicode name of the script.',
    example: '<p>សួស្តី</p>',
    remedy: '[Install a font, or embed one](how-to/fonts.md#boxes-instead-of-letters).',
  },
  heading_skipped: {
    cause:
      'Tagged PDFs with a [`conformance`](how-to/accessible-documents.md). A heading is more than one level below the heading before it, or the first heading is not an `h1`, so a screen reader cannot outline the document.',
    name: 'A selector for the heading.',
    example: '<h1>Report</h1><h3>Summary</h3>',
    remedy: 'Use the next level, and change its size with CSS.',
  },
  invoice_differs: {
    cause:
      'PDFs of templates with [`e_invoice`](how-to/e-invoices.md#compare-the-page-with-the-xml). The pages do not show a value that the XML declares: the invoice number, the issue date, the VAT total or the amount due. The message contains the declared value and either the closest value on the pages or the expected one.',
    name: 'The business term, such as `BT-115 amount due for payment`.',
    example:
      'BT-115 amount due for payment is 172.19 in the e-invoice, but the closest value on the pages is 127,19.',
    remedy:
      "Print the value from the same data as the mapping, and set `locale` to the page's language. `compare: false` in `e_invoice` turns the comparison off.",
  },
  object_order: {
    cause:
      'Previews and test keys: `{{#each}}` iterates over an object with field names that are numbers. The fields are sorted, and numbers without leading zeros come first, wherever they are in the data.',
    name: 'The path, as written in the template.',
    example: '{{#each totals}}',
    remedy: 'Send an array, which keeps its order: `[{ "year": 2026, "total": 5 }]`.',
  },
  more_warnings: {
    cause: 'The document has more warnings than its list can hold.',
    name: 'Number of omitted warnings. Each check stops after 100 warnings.',
    example: 'and 6 more',
    remedy: 'Correct the others first.',
  },
  page_empty: {
    cause:
      'The first page is blank, because the first block does not fit in the space left on it and may not be split. Only previews and test PDFs have this warning.',
    name: 'A selector for the block.',
    example: '<div style="height: 100px"></div><table style="break-inside: avoid">',
    remedy: 'Allow the block to break with `break-inside: auto`, or remove the empty space before it.',
  },
  resource_blocked: {
    cause:
      'An image, a style sheet or a font was not loaded. Relative URLs are not loaded, because a document has no base URL unless its HTML sets one with `<base href>`. A relative URL in CSS is reported even if no element uses the rule.',
    name: 'Its URL without the user name and password, with `?…` in place of the query.',
    example: '<img src="logo.png">',
    remedy:
      '[Embed the resource, or ask an operator to allow its host](how-to/remote-images.md). The message contains the reason.',
  },
  resource_broken: {
    cause:
      'An image or a font in a `data:` URL cannot be decoded, so it is not used. The message contains the reason. The check covers the structure of the file, not its pixels or glyphs. A broken resource in CSS is reported even if no element uses the rule.',
    name: 'The URL up to its first comma.',
    example: `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' fill='#fff'>…</svg>">`,
    remedy: 'Encode the file again. In a `data:` URL without `base64`, write `%23` instead of `#`.',
  },
  table_header_missing: {
    cause:
      'Tagged PDFs with a [`conformance`](how-to/accessible-documents.md). A table has no header cells, so a screen reader cannot say what its cells mean. This does not apply to tables that only arrange content: those that have no lines, caption or head, only one column, or a table inside.',
    name: 'A selector for the table.',
    example: '<table border="1"><tr><td>Item</td><td>Price</td></tr></table>',
    remedy: 'Use `<th>` for header cells, or `role="presentation"` for a table that arranges content.',
  },
};
