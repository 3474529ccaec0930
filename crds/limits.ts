/**
 * Limits and defaults that bounded processes also need. This module imports nothing: TypeBox, which the schemas import,
 * takes 20 MiB of such a process and most of its start.
 */

/** Maximum number of items of a batch (interface, "Limits"). */
export const MAX_BATCH_ITEMS = 100;
/** Maximum number of endpoints of one account that get events: its own, and the others by age, then by name. */
export const MAX_ENDPOINTS = 50;
/** Maximum number of warnings of a document. If there are more, the last one says how many are left out. */
export const MAX_WARNINGS = 20;
/** Maximum number of warnings that one search looks for. */
export const MAX_FOUND_WARNINGS = 100;
/** Maximum UTF-16 units of template text that a search keeps, to find the position of a warning. */
export const MAX_LITERAL = 2000;

/** Locale and time zone of a template that names none, wherever it is rendered. */
export const DEFAULT_LOCALE = 'en-US';
export const DEFAULT_TIME_ZONE = 'UTC';
