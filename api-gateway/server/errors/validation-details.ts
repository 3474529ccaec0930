import { counted } from '@trifold/platform/templating/schema/counted.ts';
import { escapePointer } from '@trifold/platform/templating/schema/json-pointer.ts';
import type { ErrorObject } from 'ajv';
import type { ErrorDetail } from './api-error.ts';

/** Maximum number of reported problems. */
const MAX_DETAILS = 100;

/** Converts ajv errors into actionable problems, each with a JSON Pointer, without duplicates. */
export function detailsOf(errors: readonly ErrorObject[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  // The errors inside a name repeat the error of `propertyNames`.
  const outside = errors.filter(({ propertyName }) => propertyName === undefined);
  for (const error of withoutOtherBranches(outside)) {
    const detail = { path: pathOf(error), message: messageOf(error) };
    details.set(`${detail.path} ${detail.message}`, detail);
    if (details.size === MAX_DETAILS) break;
  }
  return [...details.values()];
}

/**
 * A value that may have several types fails in every branch. Keeps the errors of the branch that matches the value's
 * type; if none matches, keeps one error that names the allowed types.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter((error) => error.keyword === 'anyOf');
  if (choices.length === 0) return [...errors];
  const dropped = new Set<ErrorObject>();
  for (const choice of choices) {
    const inside = errors.filter((error) => error.schemaPath.startsWith(`${choice.schemaPath}/`));
    const ofValue = inside.filter((error) => error.instancePath.startsWith(choice.instancePath));
    const wrongType = ofValue.filter(
      (error) => error.keyword === 'type' && error.instancePath === choice.instancePath,
    );
    for (const error of wrongType) dropped.add(error);
    if (ofValue.length > wrongType.length) dropped.add(choice);
    else choice.params = { types: wrongType.map((error) => String(error.params['type'])) };
  }
  return errors.filter((error) => !dropped.has(error));
}

function pathOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty, propertyName } = error.params as Record<
    string,
    string | undefined
  >;
  const member = missingProperty ?? additionalProperty ?? propertyName;
  return member === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(member)}`;
}

const MESSAGES: Record<string, (parameters: Record<string, unknown>, error: ErrorObject) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ type }, { parentSchema }) =>
    `must be ${withArticle(String(type))}${parentSchema?.['nullable'] === true ? ' or null' : ''}`,
  anyOf: ({ types }) =>
    `must be ${(types as string[] | undefined)?.map(withArticle).join(' or ') ?? 'valid'}`,
  propertyNames: (_parameters, { schema }) => {
    const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number };
    return `must have a name of ${minLength} to ${maxLength} characters`;
  },
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not contain the same item twice',
  format: () => 'must be a time with an offset, such as 2026-11-21T10:00:00Z',
  pattern: (_parameters, error) =>
    (error.parentSchema?.['x-pattern-message'] as string | undefined) ??
    error.message ??
    'is not well-formed',
};

function messageOf(error: ErrorObject): string {
  const message = MESSAGES[error.keyword]?.(error.params as Record<string, unknown>, error);
  return message ?? error.message ?? 'is not allowed';
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
