import type { Schemas } from './schemas.ts';

/** A number with its unit: `0.5in`, `12mm`, `40px`. */
export type { Length } from '../openapi.ts';

/** Generation options (interface, "Generation options"). What is left out comes from the template, then the service. */
export type GenerationOptions = Schemas['GenerationOptions'];

/** What stands above or below the content of every page. */
export type PageEdge = NonNullable<GenerationOptions['header']>;

/** Kinds of file that the service makes. */
export type DocumentFormat = Schemas['BatchRequest']['format'];
