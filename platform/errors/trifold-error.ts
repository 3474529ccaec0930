export interface TrifoldErrorOptions {
  /** Whether the same call may succeed later. @default false */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * Base class of all service errors. Callers branch on the code, on `retryable` or on a subclass, never on the message.
 * A subclass exists only where a caller branches on it.
 */
export class TrifoldError<Code extends string | number = string | number> extends Error {
  override readonly name: string;
  /** Stable: codes can be added, but not renamed or reused. */
  readonly code: Code;
  readonly retryable: boolean;

  constructor(code: Code, message: string, options: TrifoldErrorOptions = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** A process or command cannot start until its user changes something. The message states the problem and the fix. */
export class SetupError extends TrifoldError<'setup_failed'> {
  constructor(message: string, cause?: unknown) {
    super('setup_failed', message, { cause });
  }
}
