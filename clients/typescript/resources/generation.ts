import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

/** Body of a generation request (interface, "Generation"); use `generateAsync` instead of `async`. */
export type GenerateRequest = Omit<Schemas['GenerateRequest'], 'async'>;

/** A document that is accepted but not finished. */
export type UnfinishedGeneration = Readonly<Schemas['UnfinishedDocument']>;

/** A document whose file is available. */
export type CompletedGeneration = Readonly<Schemas['CompletedDocument']>;

/** A document that could not be generated. */
export type FailedGeneration = Readonly<Schemas['FailedDocument']>;

/** A finished document. */
export type FinishedGeneration = CompletedGeneration | FailedGeneration;

/** A document; `status` tells the variants apart (interface, "Generation (document)"). */
export type Generation = UnfinishedGeneration | FinishedGeneration;

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
