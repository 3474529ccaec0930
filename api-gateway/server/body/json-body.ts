import type { CheckPool, CheckTurn } from '@trifold/platform/templating/checking/check-pool.ts';
import { LARGE_JSON } from '@trifold/platform/request-body/held-json.ts';
import { bodyOf, MOST_OTHER_VALUES, type BodyReading } from '@trifold/platform/request-body/large-body.ts';
import { InvalidJson, parseJson } from '@trifold/platform/request-body/parse-json.ts';
import { ApiError } from '../errors/api-error.ts';
import { checkFailure, type BoundErrors } from '../errors/check-failure.ts';

/** A parsed request body. */
export interface JsonBody {
  /** Has HeldJson in place of `data`, and of the data of `items`, when the body is large. */
  readonly value: unknown;
  /** `bodyFingerprint` of a large body, if requested. */
  readonly fingerprint?: string;
}

/** Caller and options of one parse. */
export interface BodyTurn extends CheckTurn {
  /** Whether the fingerprint of the body is needed. */
  readonly withFingerprint: boolean;
}

/** Parses request bodies: small ones in this process, larger ones in a check process. */
export class JsonBodies {
  readonly #pool: Pick<CheckPool, 'ask'>;

  constructor(pool: Pick<CheckPool, 'ask'>) {
    this.#pool = pool;
  }

  /**
   * Rejects with ApiError `invalid_json` for input that is not JSON or cannot be stored as it was sent; with
   * `body_too_large` for a large body that takes too long to parse or contains too much apart from its data; or with
   * the signal's reason.
   */
  async parse(bytes: Buffer, { withFingerprint, ...turn }: BodyTurn): Promise<JsonBody> {
    if (bytes.byteLength <= LARGE_JSON) return { value: parseSmall(bytes) };
    const reading = await this.#pool.ask('body', { bytes, withFingerprint }, turn).catch((error: unknown) => {
      throw checkFailure(error, BOUNDS);
    });
    if (reading.status === 'too_many_values') throw tooManyValues();
    if (reading.status === 'invalid') throw invalidJson(reading);
    const { fingerprint } = reading;
    return { value: bodyOf(reading), ...(fingerprint !== undefined && { fingerprint }) };
  }
}

function parseSmall(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw error instanceof InvalidJson ? invalidJson(error) : error;
  }
}

function invalidJson({
  message,
  problem,
}: Omit<Extract<BodyReading, { status: 'invalid' }>, 'status'>): ApiError {
  return new ApiError('invalid_json', message, problem && { details: [problem] });
}

function tooManyValues(): ApiError {
  const message = `The body has more than ${MOST_OTHER_VALUES} values outside its data.`;
  return new ApiError('body_too_large', message);
}

const BOUNDS: BoundErrors = {
  tooSlow: (cause) =>
    new ApiError('body_too_large', 'The body takes too long to read: send less in one request.', { cause }),
  tooLarge: (cause) =>
    new ApiError('body_too_large', 'The body takes too much memory to read: send less in one request.', {
      cause,
    }),
};
