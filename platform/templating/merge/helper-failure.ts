import { positionOf } from '../syntax/template-bounds.ts';
import { MergeFailure } from './merge-failure.ts';

/** A place in a template; line and column count from 1. */
export interface TemplatePosition {
  readonly line: number;
  readonly column: number;
}

/** A helper that failed, and where it was called in the text that was compiled. */
export class HelperFailure extends MergeFailure {
  readonly position: TemplatePosition;

  constructor({ code, message }: MergeFailure, position: TemplatePosition) {
    super(code, message);
    this.position = position;
  }
}

/** Text that stands in a compiled template, and not in its source. */
export interface Insertion {
  /** Where it begins. */
  readonly at: TemplatePosition;
  /** Characters, all on one line. */
  readonly length: number;
}

/** What `inserted` put into `html` before its last place, to be told from what people wrote. */
export function insertionIn(html: string, compiled: string, inserted: string): Insertion {
  const before = compiled.indexOf(html);
  // The whole text may have got something before it.
  if (before > 0) return { at: { line: 1, column: 1 }, length: before };
  return { at: positionOf(html, compiled.indexOf(inserted)), length: inserted.length };
}

/** Says in the message of a helper's failure where the template calls it. Any other error is left as it is. */
export function placed(error: unknown, insertion?: Insertion): unknown {
  if (!(error instanceof HelperFailure)) return error;
  const { line, column } = without(insertion, error.position);
  return new MergeFailure(error.code, `${error.message} (line ${line}, column ${column})`);
}

function without(insertion: Insertion | undefined, position: TemplatePosition): TemplatePosition {
  if (insertion === undefined) return position;
  const { at, length } = insertion;
  const isBehind = position.line === at.line && position.column >= at.column + length;
  return isBehind ? { line: position.line, column: position.column - length } : position;
}
