import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { toJsonSchema } from '@trifold/crds';
import { ApiOptions } from '@trifold/api-gateway/options/api-options.ts';
import { detailsOf } from '@trifold/api-gateway/server/errors/validation-details.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { writeRawIntegers } from '@trifold/platform/request-body/long-integers.ts';
import { InvalidJson, parseJson } from '@trifold/platform/request-body/parse-json.ts';
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
  EACCES: 'this user may not read it',
};

/** Reads a JSON object as the service reads the `data` of a request. Rejects with FileError. */
export async function readData(input: string): Promise<RequestData> {
  const { value, longIntegers } = await readObject(input);
  if (longIntegers.length === 0) return value;
  writeRawIntegers(longIntegers);
  return new RawJson(Buffer.from(JSON.stringify(value)));
}

/** Reads generation options, with the names of `/v1`. Rejects with FileError, which lists all problems. */
export async function readOptions(input: string): Promise<ApiOptions> {
  const { value } = await readObject(input);
  const validate = new Ajv({ allErrors: true, strict: false, verbose: true }).compile(
    toJsonSchema(ApiOptions),
  );
  if (validate(value)) return value;
  const problems = detailsOf(validate.errors ?? []);
  throw new FileError(
    problems.map(({ path, message }) => `${nameOf(input)}: error: ${path.slice(1)} ${message}`).join('\n'),
  );
}

async function readObject(input: string) {
  const bytes = await readInput(input);
  const { value, longIntegers } = parsed(bytes, nameOf(input));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { value: value as Record<string, unknown>, longIntegers };
  }
  throw new FileError(`${nameOf(input)}: error: is JSON, but not an object`);
}

function parsed(bytes: Buffer, name: string) {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    const syntax = syntaxProblem(text);
    if (!syntax) throw new FileError(`${name}: error: ${error.message.replace(/^the body /, '')}`, error);
    const { line, column } = positionOf(text, syntax.index);
    throw new FileError(`${name}:${line}:${column}: error: not valid JSON: ${syntax.message}`, error);
  }
}

/** Returns V8's message without the position that it has only in some messages, and the position. */
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

/** The shortest prefix that ends with the unexpected character; every shorter one only ends too early. */
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
