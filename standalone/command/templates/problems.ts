import { ConnectionError, MissingScopesError, TrifoldError, type ErrorDetail } from '@trifold/client';
import { ApiError } from '@trifold/api-gateway/server/errors/api-error.ts';
import { FileError } from '../render/read-input.ts';
import { PARTS } from './template-content.ts';

/** Reports a file or service error, and then returns `failure`. */
export async function attempt(
  subject: string,
  failure: number,
  run: () => Promise<number>,
  onError = (message: string): unknown => process.stderr.write(`${message}\n`),
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    onError(messageOf(error, subject));
    return failure;
  }
}

/** Returns the message of a file or service error, with the line if it is known. Throws other errors. */
function messageOf(error: unknown, subject: string): string {
  if (error instanceof FileError) {
    return error.message.startsWith('error: ') ? `${subject}: ${error.message}` : error.message;
  }
  if (!(error instanceof TrifoldError || error instanceof ApiError)) throw error;
  const { details = [] } = error;
  if (details.length === 0) return `${subject}: error: ${error.message}${remedyOf(error)}`;
  return details.map((detail) => lineOf(detail, subject)).join('\n');
}

function remedyOf(error: Error): string {
  if (error instanceof MissingScopesError) return ` ${error.hint}`;
  if (error instanceof ConnectionError)
    return ' Check that the service is running at the URL in --url or TRIFOLD_URL.';
  return '';
}

type Detail = Pick<ErrorDetail, 'path' | 'message'> & {
  readonly line?: number | null | undefined;
  readonly column?: number | null | undefined;
};

function lineOf({ path, message, line, column }: Detail, subject: string): string {
  const [, part = '', ...fields] = path.split('/');
  const file = Object.hasOwn(PARTS, part) ? `${subject}/${PARTS[part as keyof typeof PARTS]}` : subject;
  return `${file}${line ? `:${line}:${column}` : ''}: error: ${`${fields.join('/')} ${message}`.trim()}`;
}
