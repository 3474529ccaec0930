import type { DocumentFormat, GenerationOptions } from './generation-options.ts';

/** What a document is made from (interface, "Generation"). */
export interface GenerateRequest {
  template_id: string;
  /** Values of the template's bindings. */
  data: object;
  options?: GenerationOptions;
  /** Under which name the file is downloaded. */
  filename?: string;
  /** @default 'pdf' */
  format?: DocumentFormat;
  /** HTTPS address that is told, unsigned, when this document is done. */
  webhook_url?: string;
}

interface GenerationFacts {
  readonly id: string;
  readonly template_id: string;
  /** Where the status is, below the base URL. */
  readonly status_url: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601; afterwards the file cannot be downloaded any more. */
  readonly expires_at: string;
}

/** A document that is accepted and not made yet. */
export interface UnfinishedGeneration extends GenerationFacts {
  readonly status: 'pending' | 'processing';
}

/** A document whose file is there. */
export interface CompletedGeneration extends GenerationFacts {
  readonly status: 'completed';
  /** Where the file is, below the base URL; `documents.download` takes the id. */
  readonly file_url: string;
  /** Bytes. */
  readonly file_size: number;
  readonly render_time_ms?: number;
}

/** A document that could not be made. */
export interface FailedGeneration extends GenerationFacts {
  readonly status: 'failed';
  readonly error?: { readonly code: string; readonly message: string };
}

/** A document at its end. */
export type FinishedGeneration = CompletedGeneration | FailedGeneration;

/** A document as the service shows it; look at `status` to know which it is (interface, "Generation (document)"). */
export type Generation = UnfinishedGeneration | FinishedGeneration;
