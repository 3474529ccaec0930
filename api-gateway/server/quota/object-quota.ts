import { ApiError } from '../errors/api-error.ts';

export interface ObjectQuotaOptions {
  /** Maximum number per account; 0 means no limit. */
  readonly most: number;
  /** Returns the number of an account's objects in this gateway's cache. */
  readonly count: (account: string) => number;
  /** Plural, for messages. */
  readonly noun: string;
  readonly code: 'too_many_templates' | 'too_many_api_keys';
}

/**
 * Limits how many objects of one kind an account can create. It counts the objects in a cache plus those this process
 * is creating; the cache lags behind other gateways by milliseconds and is empty before its first list. Objects created
 * by other means, such as kubectl, count but are never rejected.
 */
export class ObjectQuota {
  readonly #options: ObjectQuotaOptions;
  /** Number of objects that are being created, by account. */
  readonly #creating = new Map<string, number>();

  constructor(options: ObjectQuotaOptions) {
    this.#options = options;
  }

  /**
   * Calls `create`, which adds the object to the cache. Rejects with an ApiError with `code` (409) before that, or with
   * the error from `create`.
   */
  async withQuota<T>(account: string, create: () => Promise<T>): Promise<T> {
    const creating = this.#creating.get(account) ?? 0;
    this.#assertQuota(account, creating);
    this.#creating.set(account, creating + 1);
    try {
      return await create();
    } finally {
      const others = (this.#creating.get(account) ?? 1) - 1;
      if (others === 0) this.#creating.delete(account);
      else this.#creating.set(account, others);
    }
  }

  #assertQuota(account: string, creating: number): void {
    const { most, count, noun, code } = this.#options;
    if (most === 0) return;
    const known = count(account) + creating;
    if (known < most) return;
    const message = `This account has ${known} ${noun}; the limit is ${most}. Delete some that you do not need.`;
    throw new ApiError(code, message);
  }
}
