/**
 * Limits on what a request or a resource may contain, and their defaults. `platform/bounds/` limits what an account can
 * make the service store or keep in memory, `platform/settings/` declares what an operator configures, and
 * `retention.ts` defines how long data is kept. This module imports nothing: TypeBox, which the schemas import, takes
 * up 20 MiB of a bounded process's memory and most of its startup time.
 */

/** Maximum number of items per batch (interface, "Limits"). */
export const MAX_BATCH_ITEMS = 100;
/**
 * Maximum number of endpoints per account that receive events: the account webhook, then the others by age and name.
 */
export const MAX_ENDPOINTS = 50;
/** Maximum length of an endpoint or callback URL in characters. */
export const MAX_ENDPOINT_URL_LENGTH = 2048;

/** Maximum number of warnings per document. If there are more, the last one says how many are omitted. */
export const MAX_WARNINGS = 20;
/** Maximum number of warnings that one search locates. */
export const MAX_FOUND_WARNINGS = 100;
/** Maximum number of UTF-16 code units of template source that a search keeps to locate a warning. */
export const MAX_LITERAL = 2000;

/** Maximum number of fields in the metadata of a request. */
export const MAX_METADATA_FIELDS = 20;
/** Maximum length of such a field's name, in characters. */
export const MAX_METADATA_NAME_LENGTH = 40;
/**
 * Maximum size of the metadata. The gateway counts the bytes of its JSON. The API server counts the characters of names
 * and values, so it accepts everything that the gateway accepts.
 */
export const MAX_METADATA_SIZE = 1024;

/** Maximum number of files that are attached to a document. */
export const MAX_ATTACHMENTS = 10;
/** Maximum size of a request for one document with attachments, whose base64 is a third larger than the files. */
export const MAX_ATTACHMENTS_BODY_BYTES = 8 * 1024 * 1024;

/** Maximum size of JSON data in a resource, in bytes; larger data goes to the object store. */
export const INLINE_DATA_LIMIT = 8 * 1024;
/**
 * Maximum nesting of objects and arrays in a JSON value. Documents need only a few levels; recursive code needs a
 * limit.
 */
export const DEEPEST_JSON = 100;
/**
 * Maximum number of values in a large body outside its data. Receiving that many from another process takes the main
 * thread about 20 ms.
 */
export const MAX_OTHER_VALUES = 50_000;

/** Maximum total size of a template's HTML and CSS: what a resource can contain (Template spec, html). */
export const MAX_TEMPLATE_BYTES = 1024 * 1024;
/** Maximum size of an e-invoice mapping as JSON, in bytes. */
export const MAX_E_INVOICE_BYTES = 32 * 1024;
/** Maximum length of a language tag. */
export const MAX_LOCALE_LENGTH = 100;
/** Maximum size of merged HTML, in bytes. */
export const MAX_MERGED_BYTES = 20 * 1024 * 1024;
/** Maximum size of each part of a compiled email (HTML, text, subject, preview text), in bytes. */
export const MAX_EMAIL_BYTES = 2 * 1024 * 1024;
/** Maximum total size of HTML and CSS in the resource, in bytes; larger sources go to the object store. */
export const INLINE_SOURCE_LIMIT = 64 * 1024;
/** Maximum nesting of blocks; each `else` adds a level. The parser's time grows with the cube of the depth. */
export const DEEPEST_BLOCKS = 100;
/** Maximum nesting of parentheses inside one expression, for the same reason. */
export const DEEPEST_PARENTHESES = 50;
/** Maximum number of expressions in a template; that many parse in about a tenth of a second. */
export const MAX_EXPRESSIONS = 20_000;
/** Maximum number of words and symbols in all expressions together; that many parse in about a third of a second. */
export const MAX_EXPRESSION_PARTS = 100_000;

/** Maximum number of bindings in a template. */
export const MAX_BINDINGS = 500;
/**
 * Maximum number of fields in a data schema, including nested ones: compiling takes about 0.5 milliseconds per field.
 */
export const MAX_SCHEMA_FIELDS = 1000;
/** Maximum nesting of items and properties in a data schema. */
export const DEEPEST_SCHEMA = 20;
/** Maximum length of one pattern in a data schema, in characters. */
export const MAX_PATTERN_LENGTH = 1000;

/** Maximum length of a usage request's period, with daily and with monthly entries. */
export const MAX_USAGE_DAYS = 366;
export const MAX_USAGE_MONTHS = 36;
/** Maximum number of failed deliveries that one request retries. */
export const MAX_RETRIES = 1000;

/** Locale and time zone of a template that sets none, wherever it is rendered. */
export const DEFAULT_LOCALE = 'en-US';
export const DEFAULT_TIME_ZONE = 'UTC';
