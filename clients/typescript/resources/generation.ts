import type { components } from '../openapi.ts';

type Schemas = components['schemas'];

/** A template sent in the request instead of a saved one. Also requires the `templates:write` scope. */
export type InlineTemplate = Schemas['InlineTemplate'];

/** Either a saved template, optionally in a specific version, or an inline one. */
export type OneTemplate<Request extends TemplateMembers> = Omit<Request, keyof TemplateMembers> &
  (
    | (Pick<Request, 'version'> & { template_id: string; template?: never })
    | { template: InlineTemplate; template_id?: never; version?: never }
  );
type TemplateMembers = Pick<Schemas['GenerateRequest'], 'template_id' | 'template' | 'version'>;

/** Request body for generating a document (interface, "Generation"); use `generateAsync` instead of `async`. */
export type GenerateRequest = OneTemplate<Omit<Schemas['GenerateRequest'], 'async'>>;

/** Request body for `pdf`. It has no webhook_url, because the service then does not stream the file. */
export type PdfRequest = OneTemplate<Omit<Schemas['GenerateRequest'], 'async' | 'webhook_url' | 'format'>>;

/** A document that is accepted but not finished. */
export type UnfinishedGeneration = Readonly<Schemas['UnfinishedDocument']>;

/** A document whose file is available. */
export type CompletedGeneration = Readonly<Schemas['CompletedDocument']>;

/** A document that could not be generated. */
export type FailedGeneration = Readonly<Schemas['FailedDocument']>;

/** A finished document. */
export type FinishedGeneration = CompletedGeneration | FailedGeneration;

/** A document; `status` distinguishes the variants (interface, "Generation (document)"). */
export type Generation = UnfinishedGeneration | FinishedGeneration;

/** A number with its unit: `0.5in`, `12mm`, `40px`. */
export type { Length } from '../openapi.ts';

/**
 * Generation options (interface, "Generation options"). Absent options come from the template, then from the service.
 */
export type GenerationOptions = Schemas['GenerationOptions'];

/** Header or footer for every page. */
export type PageEdge = NonNullable<GenerationOptions['header']>;

/** File formats that the service generates. */
export type DocumentFormat = Schemas['BatchRequest']['format'];
