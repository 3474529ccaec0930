import type { FailurePlace } from '../../errors/document-error.ts';
import { TrifoldError } from '../../errors/trifold-error.ts';
import type { SyntaxProblem } from '../syntax/syntax.ts';
import { positionOf } from '../syntax/template-bounds.ts';

/** A position in a template; the line and column count from 1. */
export interface TemplatePosition {
  readonly line: number;
  readonly column: number;
}

/** Reason a merge failed; documents and emails have the same codes. */
export type MergeFailureCode = 'template_invalid' | 'data_invalid' | 'merge_failed' | 'merge_too_large';

type MergeFailureOptions = Partial<Pick<MergeFailure, 'problem' | 'place' | 'cause'>>;

/** A merge that failed because of the template or the data. The message contains no data. */
export class MergeFailure extends TrifoldError<MergeFailureCode> {
  /** Position and reason of a compile error, for `template_invalid`. */
  readonly problem: SyntaxProblem | undefined;
  /** The failed helper call. Its position is in the compiled text until `withPosition` corrects it. */
  readonly place: FailurePlace | undefined;

  constructor(code: MergeFailureCode, message: string, options: MergeFailureOptions = {}) {
    super(code, message, options);
    this.problem = options.problem;
    this.place = options.place;
  }
}

/**
 * Converts anything thrown by a merge. `tooLarge` is the message for output longer than the maximum string length. V8
 * and Handlebars distinguish their errors only by the message.
 */
export function mergeFailureOf(error: unknown, tooLarge: string): MergeFailure {
  if (error instanceof MergeFailure) return error;
  if (!(error instanceof Error)) return new MergeFailure('merge_failed', 'the template failed');
  if (/invalid string length/i.test(error.message)) return new MergeFailure('merge_too_large', tooLarge);
  if (error instanceof RangeError) {
    return new MergeFailure(
      'merge_failed',
      'the template is nested too deeply, possibly by a recursive partial',
    );
  }
  if (error.message.startsWith('The partial ')) {
    return new MergeFailure('merge_failed', 'the template calls a partial that is not defined');
  }
  return new MergeFailure('merge_failed', 'the template could not be merged with the data');
}

/** Text in the compiled template that is not in its source. */
export interface Insertion {
  /** Start of the inserted text. */
  readonly at: TemplatePosition;
  /** Number of characters, all on one line. */
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
  if (!(error instanceof MergeFailure)) return error;
  const { code, message, place } = error;
  if (place?.line === undefined || place.column === undefined) return error;
  const { line, column } = without(insertion, { line: place.line, column: place.column });
  const options = { place: { ...place, line, column } };
  return new MergeFailure(code, `${message} (line ${line}, column ${column})`, options);
}

/** Converts a position in the compiled text to the same one in its source. */
export function without(insertion: Insertion | undefined, position: TemplatePosition): TemplatePosition {
  if (insertion === undefined) return position;
  const { at, length } = insertion;
  const isBehind = position.line === at.line && position.column >= at.column + length;
  return isBehind ? { line: position.line, column: position.column - length } : position;
}
