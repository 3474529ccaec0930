import { BOUNDS } from '../bounds/bounds.ts';

/** Maximum size of one document's XML, in bytes. */
export const E_INVOICE_XML_BYTES = BOUNDS.eInvoices.limit.value * 1024;

/** Problem with XML that exceeds `E_INVOICE_XML_BYTES`. */
export const E_INVOICE_XML_TOO_LARGE = `The XML is larger than ${E_INVOICE_XML_BYTES / 1024 / 1024} MiB.`;

/** Maximum length of a value that the pages are searched for: the time of a search depends on it. */
export const MAX_DECLARED_LENGTH = 100;

/** Maximum number of groups in one invoice, such as lines and their allowances. */
export const E_INVOICE_GROUPS = 10_000;

/** Maximum number of reported problems with one invoice, or with one mapping. */
export const E_INVOICE_PROBLEMS = 100;

/** Maximum depth of elements in XML that a caller sends. CII needs 9. */
export const E_INVOICE_XML_DEPTH = 32;

/** Maximum number of elements in XML that a caller sends: 1 MiB of CII has fewer. */
export const E_INVOICE_XML_ELEMENTS = 50_000;
