import type { Schemas } from './schemas.ts';

/** A number with its unit: `0.5in`, `12mm`, `40px`. */
export type { Length } from '../openapi.ts';

/**
 * Generation options (interface, "Generation options"). Absent options come from the template, then from the service.
 */
export type GenerationOptions = Schemas['GenerationOptions'];

/** Header or footer of every page. */
export type PageEdge = NonNullable<GenerationOptions['header']>;

/** File formats that the service generates. */
export type DocumentFormat = Schemas['BatchRequest']['format'];
