import type { Schemas } from './schemas.ts';

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
