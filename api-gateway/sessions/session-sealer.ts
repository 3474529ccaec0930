import type { Clock } from '@trifold/platform/service/clock.ts';
import type { DownloadAccess } from '../config.ts';
import { Sealer } from './sealer.ts';

/** Maximum time between two uses of a session, in seconds. */
export const SESSION_SECONDS = 8 * 3600;

/** What the cookie of a session contains: the holder of a key, never the key itself. */
export interface Session {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  /** Uid of the ApiKey, which no later key of the same name has. */
  readonly keyUid: string;
  readonly signedInAt: Date;
  /** Whether only https requests carry the cookie. */
  readonly https: boolean;
  /** Documents that the session may download. */
  readonly downloads: DownloadAccess;
  /** Time when the session ends although it is used. @default never */
  readonly endsAt?: Date | undefined;
}

export interface OpenedSession extends Session {
  /** Time when the cookie was sealed. */
  readonly sealedAt: Date;
}

interface Payload extends Omit<Session, 'signedInAt' | 'endsAt' | 'downloads'> {
  /** Milliseconds since 1970. */
  readonly signedInAt: number;
  /** Milliseconds since 1970. */
  readonly endsAt?: number;
  /** Missing in sessions of earlier versions. */
  readonly downloads?: DownloadAccess;
}

/** Seals sessions for their cookies. */
export class SessionSealer {
  readonly #sealer: Sealer<Payload>;
  readonly #clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.#sealer = new Sealer('session', secret, clock);
    this.#clock = clock;
  }

  /** Returns the sealed session and the seconds for which it can be opened. */
  async seal({ signedInAt, endsAt, ...session }: Session): Promise<{ sealed: string; seconds: number }> {
    const left = endsAt ? Math.floor((endsAt.getTime() - this.#clock.now().getTime()) / 1000) : Infinity;
    const seconds = Math.min(SESSION_SECONDS, left);
    const ends = endsAt && { endsAt: endsAt.getTime() };
    const payload = { ...session, signedInAt: signedInAt.getTime(), ...ends };
    return { sealed: await this.#sealer.seal(payload, seconds), seconds };
  }

  /** Returns undefined for a session that expired or that was not sealed with this secret. */
  async open(sealed: string): Promise<OpenedSession | undefined> {
    const opened = await this.#sealer.open(sealed);
    if (!opened) return undefined;
    const { account, keyId, keyUid, https, signedInAt, endsAt, downloads = 'key' } = opened.payload;
    return {
      account,
      keyId,
      keyUid,
      https,
      downloads,
      signedInAt: new Date(signedInAt),
      endsAt: endsAt === undefined ? undefined : new Date(endsAt),
      sealedAt: opened.sealedAt,
    };
  }
}
