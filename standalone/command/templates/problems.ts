import { ConnectionError, MissingScopesError, TrifoldError, type ErrorDetail } from '@trifold/client';
import { ApiError } from '@trifold/api-gateway/server/errors/api-error.ts';
import { FileError } from '../render/read-input.ts';
import { PARTS } from './template-content.ts';

/** Runs for each item and continues with the next after an error, which it prints. Returns the exit code. */
export async function forEach<T extends { readonly name: string }>(
  items: readonly T[],
  failure: number,
  run: (item: T) => Promise<void>,
): Promise<number> {
  let code = 0;
  for (const item of items) {
    code = Math.max(
      code,
      await attempt(item.name, failure, async () => {
        await run(item);
        return 0;
      }),
    );
  }
  return code;
}

/** Prints an error of files or of the service, and returns `failure` then. */
export async function attempt(subject: string, failure: number, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    process.stderr.write(`${messageOf(error, subject)}\n`);
    return failure;
  }
}

/** Names the file, and the line if the service has reported it. */
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
    return ' Check that the service runs at the URL in --url or TRIFOLD_URL.';
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
