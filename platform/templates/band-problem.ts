import type { RenderOptions } from '@trifold/crds';
import { findSyntaxProblem, type SyntaxProblem } from './syntax.ts';

/** Which of header and footer does not compile, and where. */
export interface BandProblem extends SyntaxProblem {
  readonly band: 'header' | 'footer';
}

/** Checks the contents of header and footer, whether they are enabled or not: another layer may enable them. */
export function findBandProblem(options: RenderOptions | undefined): BandProblem | undefined {
  for (const band of ['header', 'footer'] as const) {
    const content = options?.[band]?.content;
    const problem = content === undefined ? undefined : findSyntaxProblem(content);
    if (problem) return { ...problem, band };
  }
  return undefined;
}
