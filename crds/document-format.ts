/** Kinds of file that can be made (interface, "What the service does"). */
export const DOCUMENT_FORMATS = ['pdf'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];
