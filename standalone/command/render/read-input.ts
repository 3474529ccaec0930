import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import type { TSchema } from 'typebox';
import { toJsonSchema } from '@trifold/crds';
import { ApiOptions } from '@trifold/api-gateway/options/api-options.ts';
import { PreviewBody } from '@trifold/api-gateway/previews/preview-body.ts';
import { NestedField } from '@trifold/api-gateway/server/http/nested-field.ts';
import { detailsOf } from '@trifold/api-gateway/server/errors/validation-details.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { writeRawIntegers, type ParsedJson } from '@trifold/platform/request-body/long-integers.ts';
import { InvalidJson, parseJson, type JsonProblem } from '@trifold/platform/request-body/parse-json.ts';
import { RawJson, type RequestData } from '@trifold/platform/request-body/raw-json.ts';
import { positionOf } from '@trifold/platform/templating/syntax/template-bounds.ts';

/** An argument that stands for standard input or standard output. */
export const STANDARD = '-';

/** The name of an input in messages. */
export function nameOf(input: string): string {
  return input === STANDARD ? 'standard input' : input;
}

/** Problems with a file, each on a line: `file:line:column: error: message`, or without the position. */
export class FileError extends SetupError {}

/** Rejects with FileError. */
export async function readInput(input: string): Promise<Buffer> {
  if (input !== STANDARD) {
    return readFile(input).catch((error: NodeJS.ErrnoException) => {
      throw new FileError(`${input}: error: ${REASONS[error.code ?? ''] ?? error.message}`, error);
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory, not a file',
  EACCES: 'this user cannot read it',
};

type TemplateSchema = NonNullable<PreviewBody['schema']>;

/** A JSON object from a file. */
export interface JsonInput<Value> {
  readonly value: Value;
  readonly text: string;
}

/** Reads a JSON object as the service reads the `data` of a request. Rejects with FileError. */
export async function readData(input: string): Promise<JsonInput<RequestData>> {
  const { value, text, longIntegers } = await parsedObject(input);
  if (longIntegers.length === 0) return { value, text };
  writeRawIntegers(longIntegers);
  return { value: new RawJson(Buffer.from(JSON.stringify(value))), text };
}

/** Reads a JSON object. `JSON.stringify` writes its long integers unchanged. Rejects with FileError. */
export async function readObject(input: string): Promise<JsonInput<Record<string, unknown>>> {
  const { value, text, longIntegers } = await parsedObject(input);
  writeRawIntegers(longIntegers);
  return { value, text };
}

/** Reads generation options, with the names of `/v1`. Rejects with FileError, which lists all problems. */
export async function readOptions(input: string): Promise<JsonInput<ApiOptions>> {
  return readValid<ApiOptions>(input, ApiOptions);
}

/** Reads the schema of a template, as in `/v1`. Rejects with FileError, which lists all problems. */
export async function readSchema(input: string): Promise<JsonInput<TemplateSchema>> {
  return readValid<TemplateSchema>(input, PreviewBody.properties.schema);
}

/** Reads the e-invoice of a template, as in `/v1`. Rejects with FileError, which lists all problems. */
export async function readEInvoiceSpec(
  input: string,
): Promise<JsonInput<NonNullable<PreviewBody['e_invoice']>>> {
  return readValid(input, PreviewBody.properties.e_invoice);
}

/** Reads a JSON object that must match a schema. Rejects with FileError, which lists all problems. */
export async function readValid<Value>(input: string, schema: TSchema): Promise<JsonInput<Value>> {
  const { value, text } = await parsedObject(input);
  const validate = new Ajv({ allErrors: true, strict: false, verbose: true })
    .addSchema(toJsonSchema(NestedField))
    .compile<Value>(toJsonSchema(schema));
  if (validate(value)) return { value, text };
  throw await fileError(input, text, detailsOf(validate.errors ?? []));
}

async function parsedObject(input: string) {
  const bytes = await readInput(input);
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const { value, longIntegers } = await parsed(bytes, text, input);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { value: value as Record<string, unknown>, longIntegers, text };
  }
  throw new FileError(`${nameOf(input)}: error: must be a JSON object`);
}

async function parsed(bytes: Buffer, text: string, input: string): Promise<ParsedJson> {
  const name = nameOf(input);
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    if (error.problem) throw await fileError(input, text, [error.problem]);
    const syntax = syntaxProblem(text);
    if (!syntax) throw new FileError(`${name}: error: ${error.message.replace(/^the body /, '')}`, error);
    const { line, column } = positionOf(text, syntax.index);
    throw new FileError(`${name}:${line}:${column}: error: not valid JSON: ${syntax.message}`, error);
  }
}

/** Returns the problems with fields in a valid JSON file, with their positions. */
async function fileError(input: string, text: string, problems: readonly JsonProblem[]): Promise<FileError> {
  const { JsonPositions } = await import('./json-positions.ts');
  const positions = new JsonPositions(text);
  const lines = problems.map(({ path, message }) => {
    const { line, column } = positions.at(path) ?? { line: 1, column: 1 };
    return `${nameOf(input)}:${line}:${column}: error: ${`${path.slice(1)} ${message}`.trim()}`;
  });
  return new FileError(lines.join('\n'));
}

/** Returns the position of a syntax error, and V8's message without it: only some messages contain it. */
export function syntaxProblem(
  text: string,
): { readonly message: string; readonly index: number } | undefined {
  const error = syntaxError(text);
  if (error === undefined) return undefined;
  const position = /at position (\d+)/.exec(error)?.[1];
  const message = error.replace(
    /(?: in JSON)?(?: at position .*|, (?:\.{3})?".*" is not valid JSON| input)$/s,
    '',
  );
  if (position !== undefined) return { message, index: Number(position) };
  return { message, index: UNEXPECTED.test(error) ? tokenIndex(text) : text.length };
}

const UNEXPECTED = /^Unexpected token/;

/** Returns the index of the unexpected character: prefixes that end before it are merely incomplete. */
function tokenIndex(text: string): number {
  let [shorter, longer] = [0, text.length];
  while (longer - shorter > 1) {
    const middle = Math.floor((shorter + longer) / 2);
    if (UNEXPECTED.test(syntaxError(text.slice(0, middle)) ?? '')) longer = middle;
    else shorter = middle;
  }
  return shorter;
}

function syntaxError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
