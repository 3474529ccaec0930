import type { ProblemPart } from '@trifold/crds';
import type { Finding } from './local-renderer.ts';
import { nameOf } from './read-input.ts';
import type { RenderCommand } from './render.ts';

/** Returns `file:line:column: level: message`, which editors and terminals make a link. */
export function lineOf(
  { level, message, part, line, column, path: pointer }: Finding,
  command: RenderCommand,
): string {
  const [, , ...fields] = (pointer ?? '').split('/');
  const subject = isJson(part) ? `${fields.join('/')} ` : '';
  return `${placeOf(part, command)}${line ? `:${line}:${column}` : ''}: ${level}: ${subject.trimStart()}${message}`;
}

function isJson(part: ProblemPart | null | undefined): boolean {
  return part === 'data' || part === 'options' || part === 'schema';
}

/** Returns the file that contains a part. A header or footer is a string in the options; its lines are counted from its own start. */
export function placeOf(part: ProblemPart | null | undefined, command: RenderCommand): string {
  if (!part || part === 'html') return nameOf(command.template);
  if (part === 'css' || part === 'data' || part === 'schema')
    return nameOf(command[part] ?? command.template);
  if (command.options === undefined) return nameOf(command.template);
  return part === 'options' ? nameOf(command.options) : `${nameOf(command.options)}#${part}`;
}
