import type { Schemas } from './schemas.ts';

/** What a document is made from (interface, "Generation"); `generateAsync` is for what `async` is in the interface. */
export type GenerateRequest = Omit<Schemas['GenerateRequest'], 'async'>;

/** A document that is accepted and not made yet. */
export type UnfinishedGeneration = Readonly<Schemas['UnfinishedDocument']>;

/** A document whose file is there. */
export type CompletedGeneration = Readonly<Schemas['CompletedDocument']>;

/** A document that could not be made. */
export type FailedGeneration = Readonly<Schemas['FailedDocument']>;

/** A document at its end. */
export type FinishedGeneration = CompletedGeneration | FailedGeneration;

/** A document as the service shows it; look at `status` to know which it is (interface, "Generation (document)"). */
export type Generation = UnfinishedGeneration | FinishedGeneration;
