import { maxHeaderSize } from 'node:http';
import type { DeliveryErrorCode, FinalDeliveryErrorCode } from '../errors/delivery-error-codes.ts';
import { TrifoldError } from '../errors/trifold-error.ts';

/** Reason a request did not succeed. The meaning of a code never changes. */
export type OutboundErrorCode = Exclude<DeliveryErrorCode, FinalDeliveryErrorCode>;

/** A request that did not succeed. The message is for users and contains no network address. */
export class OutboundError extends TrifoldError<OutboundErrorCode> {
  constructor(code: OutboundErrorCode, message: string, options?: { cause?: unknown }) {
    // A delivery is retried after each of them.
    super(code, message, { ...options, retryable: true });
  }
}

const BY_SYSTEM_CODE: Readonly<Record<string, OutboundError['code']>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls_failed',
};

/** Node's error codes for certificates that fail verification, other than CERT_… and ERR_TLS_…. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

const MESSAGES: Readonly<Record<string, string>> = {
  connection_refused: 'the endpoint refused the connection',
  connection_reset: 'the endpoint closed the connection without a response',
  connection_failed: 'the endpoint could not be reached',
  timeout: 'the endpoint could not be reached in time',
  answer_invalid: 'the response from the endpoint is not valid HTTP',
};

/** Parser errors that an HTTP server can cause. */
const PARSER_MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `the headers of the response are larger than ${maxHeaderSize / 1024} KiB`,
};

/** Maps a socket, TLS or HTTP parser error. */
export function outboundErrorOf(cause: unknown): OutboundError {
  if (cause instanceof OutboundError) return cause;
  const systemCode = systemCodeOf(cause);
  const code = classify(systemCode);
  if (code === 'tls_failed') {
    const detail = cause instanceof Error ? cause.message.split('\n')[0]?.slice(0, 300) : '';
    return new OutboundError(code, `TLS with the endpoint failed: ${detail}`, { cause });
  }
  return new OutboundError(code, PARSER_MESSAGES[systemCode] ?? MESSAGES[code] ?? code, { cause });
}

function classify(systemCode: string): OutboundError['code'] {
  if (CERTIFICATE_CODE.test(systemCode)) return 'tls_failed';
  if (systemCode.startsWith('HPE_')) return 'answer_invalid';
  return BY_SYSTEM_CODE[systemCode] ?? 'connection_failed';
}

/** When several addresses failed, the first error is the most informative. */
function systemCodeOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  for (const one of errors) {
    const code = (one as { code?: unknown } | undefined)?.code;
    if (typeof code === 'string') return code;
  }
  return '';
}
