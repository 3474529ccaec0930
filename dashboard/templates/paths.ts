import type { CompletedGeneration } from '@trifold/client';
import { problems } from '../messages/problems.ts';

const { parts } = problems;

type ProblemPart = NonNullable<CompletedGeneration['warnings'][number]['part']>;

/** URL of a template's editor. */
export function templatePath(id: string): string {
  return `/dashboard/templates/${encodeURIComponent(id)}`;
}

/** URL of a template's history, or of one of its versions. */
export function historyPath(id: string, version?: number): string {
  const query = version === undefined ? '' : `?version=${version}`;
  return `${templatePath(id)}/history${query}`;
}

/** A position in a part of a template. */
interface PartPlace {
  readonly part?: ProblemPart;
  readonly line?: number;
  readonly column?: number;
}

/** URL of a template's editor, at a position and with a document's data, if given. */
export function editorPath(
  template: string,
  { part, line = 1, column = 1 }: PartPlace,
  document?: string,
): string {
  const query = new URLSearchParams({
    ...(document !== undefined && { document }),
    ...(part !== undefined && { at: `${part}:${line}:${column}` }),
  });
  return `${templatePath(template)}?${query.toString()}`;
}

/** Returns the position in an editor's URL. */
export function placeInQuery(at = ''): Required<PartPlace> | undefined {
  const [, part = '', line, column] = /^([a-z._]+):(\d+):(\d+)$/.exec(at) ?? [];
  return part in parts
    ? { part: part as ProblemPart, line: Number(line), column: Number(column) }
    : undefined;
}
