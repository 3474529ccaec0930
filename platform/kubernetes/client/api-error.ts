import { TrifoldError } from '../../errors/trifold-error.ts';

/** `metav1.Status`, the body of every error response (Kubernetes API conventions, "Response Status Kind"). */
export interface ApiStatus {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: object;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly code: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
    readonly retryAfterSeconds?: number;
  };
}

/**
 * An error response from the API server, or no response (reason `Unreachable`). `code` is the HTTP status; 0 without a
 * response. Retryable when the server was unreachable, overloaded or shutting down.
 */
export class KubernetesApiError extends TrifoldError<number> {
  /** `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`, `Expired`, `Gone`, `TooManyRequests` … */
  readonly reason: string;
  readonly details: ApiStatus['details'];
  /** Delay from Retry-After or the Status, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: Pick<ApiStatus, 'code' | 'reason' | 'message' | 'details'>,
    options?: { retryAfterMs?: number; cause?: unknown },
  ) {
    const { code, message = `the API server returned ${code}` } = status;
    super(code, message, { retryable: code === 0 || code === 429 || code >= 500, cause: options?.cause });
    this.reason = status.reason ?? 'Unknown';
    this.details = status.details;
    const seconds = status.details?.retryAfterSeconds;
    this.retryAfterMs = options?.retryAfterMs ?? (seconds === undefined ? undefined : seconds * 1000);
  }
}

/** Whether the error is a KubernetesApiError with this reason. */
export function isApiError(error: unknown, reason: string): error is KubernetesApiError {
  return error instanceof KubernetesApiError && error.reason === reason;
}
