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

/** An error response of the API server, or no response (`code` 0, reason `Unreachable`). */
export class KubernetesApiError extends Error {
  override readonly name = 'KubernetesApiError';
  /** HTTP status; 0 without a response. */
  readonly code: number;
  /** `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`, `Expired`, `Gone`, `TooManyRequests` … */
  readonly reason: string;
  readonly details: ApiStatus['details'];
  /** From Retry-After or the Status; milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: Pick<ApiStatus, 'code' | 'reason' | 'message' | 'details'>,
    options?: { retryAfterMs?: number; cause?: unknown },
  ) {
    super(status.message ?? `the API server answered ${status.code}`, { cause: options?.cause });
    this.code = status.code;
    this.reason = status.reason ?? 'Unknown';
    this.details = status.details;
    const seconds = status.details?.retryAfterSeconds;
    this.retryAfterMs = options?.retryAfterMs ?? (seconds === undefined ? undefined : seconds * 1000);
  }

  /** Whether the same request may succeed later: the server was unreachable, overloaded or shutting down. */
  get retryable(): boolean {
    return this.code === 0 || this.code === 429 || this.code >= 500;
  }
}

/** Whether the error is a KubernetesApiError with that reason. */
export function isApiError(error: unknown, reason: string): error is KubernetesApiError {
  return error instanceof KubernetesApiError && error.reason === reason;
}
