import type { PdfDifferences } from '@trifold/platform/pdf-comparison/compare-pdfs.ts';
import type { Finding } from '../render/local-renderer.ts';
import type { TemplateContent } from '../templates/template-content.ts';

/** A template with one of its samples. */
export interface Sample {
  /** Label in results: its file, or its name in a service. */
  readonly label: string;
  /** The template's folder, or its name in a service. */
  readonly template: string;
  /** Name of the sample. */
  readonly name: string;
  readonly content: TemplateContent;
  readonly data: object;
}

/** Result of printing a sample. */
export interface Print {
  readonly pdf: Uint8Array;
  readonly warnings: readonly Warning[];
}

/** A document warning without its line and column, which do not count as a difference. */
export type Warning = Readonly<Partial<Pick<Finding, 'code' | 'part' | 'path'>>> & Pick<Finding, 'message'>;

/**
 * `elsewhere`: differs from a result that was recorded with another browser, other fonts or another architecture.
 * `recorded`: was written by `--update`.
 */
export type Outcome = 'passed' | 'failed' | 'elsewhere' | 'recorded';

export interface SampleResult {
  readonly sample: Sample;
  readonly outcome: Outcome;
  /** The differences, or the reason that there is no result. A message can have several lines. */
  readonly messages: readonly string[];
  readonly differences?: PdfDifferences | undefined;
  readonly seconds: number;
}

/** Returns a warning without absent fields. */
export function warningOf({ code, message, part, path }: Omit<Finding, 'level'>): Warning {
  return { code, message, ...(part && { part }), ...(path && { path }) };
}
