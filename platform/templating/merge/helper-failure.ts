import { positionOf } from '../syntax/template-bounds.ts';
import { MergeFailure, type TemplatePosition } from './merge-failure.ts';

/** Text that is in the compiled template but not in its source. */
export interface Insertion {
  /** Start of the inserted text. */
  readonly at: TemplatePosition;
  /** Characters, all on one line. */
  readonly length: number;
}

/** Returns where the compiled template differs from the source `html`, so that errors name positions in the source. */
export function insertionIn(html: string, compiled: string, inserted: string): Insertion {
  const before = compiled.indexOf(html);
  // Text may have been inserted before the whole source.
  if (before > 0) return { at: { line: 1, column: 1 }, length: before };
  return { at: positionOf(html, compiled.indexOf(inserted)), length: inserted.length };
}

/**
 * Adds the position of a failed helper call in the template to the message. Returns any other error unchanged.
 */
export function withPosition(error: unknown, insertion?: Insertion): unknown {
  if (!(error instanceof MergeFailure) || !error.position) return error;
  const { line, column } = without(insertion, error.position);
  return new MergeFailure(error.code, `${error.message} (line ${line}, column ${column})`);
}

function without(insertion: Insertion | undefined, position: TemplatePosition): TemplatePosition {
  if (insertion === undefined) return position;
  const { at, length } = insertion;
  const isBehind = position.line === at.line && position.column >= at.column + length;
  return isBehind ? { line: position.line, column: position.column - length } : position;
}
