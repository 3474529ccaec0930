import type { OwnerReference } from '@trifold/crds';
import type { Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import { isApiError } from '../client/api-error.ts';
import type { ResourceClient } from '../client/client.ts';
import { claimed, released, type Lease } from './leader-lease.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from '../client/transport.ts';

export interface LeaderElectionOptions {
  readonly leases: Pick<ResourceClient<Lease>, 'find' | 'create' | 'replace'>;
  /** Namespace of the Lease, which is created if it does not exist. */
  readonly namespace: string;
  readonly name: string;
  /**
   * Owner of a Lease that this process creates. An existing Lease keeps its owners: changing them requires permission
   * to delete where the API server enforces that. @default none
   */
  readonly owner?: OwnerReference | undefined;
  /**
   * Unique to this run of this process: another process, or this one after a restart, must have a different identity.
   */
  readonly identity: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, when this process starts leading. */
  readonly onElected: () => void;
  /**
   * Called at most once, when this process stops leading without a call to `stop`. All work under the lease must end
   * immediately; the safest way is to exit the process. The election is over.
   */
  readonly onLost: (reason: Error) => void;
  /** @default 10 s, 7 s, 2 s */
  readonly timing?: LeaderElectionTiming;
  /** In [0, 1), for jitter. @default Math.random */
  readonly random?: () => number;
}

/** All in milliseconds. */
export interface LeaderElectionTiming {
  /**
   * Time that candidates wait after the last observed change of the lease before they take the lease. Whole seconds.
   */
  readonly leaseMs: number;
  /**
   * A leader that cannot renew for this long stops leading. Must be less than `leaseMs`, or two processes could lead.
   */
  readonly renewDeadlineMs: number;
  /** Interval between attempts. */
  readonly retryMs: number;
}

const DEFAULT_TIMING: LeaderElectionTiming = { leaseMs: 10_000, renewDeadlineMs: 7_000, retryMs: 2_000 };

/** Up to this fraction is added to a candidate's interval, so that candidates do not try at the same time. */
const JITTER = 0.25;

/** Outcome of an attempt: this process holds the lease, another one does, or the holder is unknown. */
type Standing = 'held' | 'taken' | 'unknown';

interface Observation {
  /** Serialized lease spec; a change shows that its holder is alive. */
  readonly text: string;
  /**
   * End of the period in which the lease must be respected, by the monotonic clock; it starts when `text` is first
   * seen.
   */
  readonly expiresAt: number;
}

/**
 * One candidate for a Lease, following the rules of client-go's leaderelection: it never compares times written by
 * others with its own clock, only how long ago it saw the lease change; every write carries the resourceVersion it is
 * based on, so of two concurrent writes one fails; a clean stop releases the lease.
 *
 * Two rules are stricter here. A leader counts its time from when its last successful renewal was sent, and stops
 * leading as soon as it reads another holder. A candidate wakes when the lease expires, not at its next interval: with
 * the default timing it takes over at most 12.5 s after the last renewal by a leader that died.
 *
 * No election can prevent writes by a process that slept past the end of its lease; `leading` detects this, and the
 * resourceVersion of each write must protect the rest.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #logger: Logger;
  readonly #timing: LeaderElectionTiming;
  readonly #random: () => number;
  readonly #ended = new AbortController();
  /** The Lease as this process last wrote it. */
  #held: Lease | undefined;
  #elected = false;
  /** Whether this process may hold the lease, perhaps through a write whose response was lost. */
  #reached = false;
  #renewedAt = -Infinity;
  #cancelDeadline: (() => void) | undefined;
  #observed: Observation | undefined;
  #running: Promise<void> | undefined;

  /** Throws a RangeError for a timing that allows two leaders or leaves no time to renew. */
  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = checked(options.timing ?? DEFAULT_TIMING);
    this.#random = options.random ?? Math.random;
    const { identity, namespace, name } = options;
    this.#logger = options.logger.child({ lease: `${namespace}/${name}`, identity });
  }

  /** Starts to compete for the lease. Idempotent. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Whether this process leads at this moment. Correct even right after a sleep that its timers have not noticed yet.
   */
  get leading(): boolean {
    return (
      this.#elected && this.#options.clock.monotonicMs() - this.#renewedAt < this.#timing.renewDeadlineMs
    );
  }

  /**
   * Ends the candidacy and releases the lease if held, so that another candidate takes over at its next attempt. Stop
   * the work under the lease first. Never rejects: a lease that could not be released expires.
   */
  async stop(): Promise<void> {
    if (this.#ended.signal.aborted) return this.#running;
    this.#end(new Error('the election was stopped'));
    await this.#running;
    if (!this.#reached) return;
    try {
      await this.#options.clock.withTimeout((signal) => this.#release(signal), this.#timing.retryMs);
      this.#logger.info('released the lease');
    } catch (error) {
      this.#logger.warn({ err: error }, 'failed to release the lease; it will expire');
    }
  }

  async #run(): Promise<void> {
    this.#logger.info('trying to acquire the lease');
    while (!this.#ended.signal.aborted) {
      const began = this.#options.clock.monotonicMs();
      const claim = await this.#attempt();
      if (this.#ended.signal.aborted) return;
      if (claim === 'held' && !this.#elected) this.#beElected();
      if (claim === 'taken' && this.#elected) this.#lose(new Error('another process holds the lease'));
      await this.#options.clock.sleep(this.#untilNextMs(began), this.#ended.signal);
    }
  }

  #beElected(): void {
    this.#elected = true;
    this.#logger.info('started leading');
    this.#options.onElected();
  }

  #lose(reason: Error): void {
    if (this.#ended.signal.aborted) return;
    this.#end(reason);
    this.#logger.error({ err: reason }, 'stopped leading');
    this.#options.onLost(reason);
  }

  #end(reason: Error): void {
    this.#elected = false;
    this.#cancelDeadline?.();
    this.#ended.abort(reason);
  }

  async #attempt(): Promise<Standing> {
    const { clock } = this.#options;
    const { signal } = this.#ended;
    // As in controller-runtime, a leader gets at least two attempts before it has to stop.
    const timeoutMs = this.#timing.renewDeadlineMs / 2;
    try {
      return await clock.withTimeout((either) => this.#claim(either), timeoutMs, { signal });
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#logger.warn({ err: error }, 'failed to renew the lease');
      return 'unknown';
    }
  }

  async #claim(signal: AbortSignal): Promise<Standing> {
    const renewed = await this.#renewUnread(signal);
    if (renewed) return renewed;
    const { leases, namespace, name } = this.#options;
    const lease = await leases.find(namespace, name, signal);
    if (!lease) return this.#create(signal);
    this.#observe(lease);
    return this.#isTaken(lease) ? 'taken' : this.#write(lease, signal);
  }

  /**
   * The common case: renews with a write and without a read. Returns undefined when the lease is not as this process
   * last wrote it.
   */
  async #renewUnread(signal: AbortSignal): Promise<Standing | undefined> {
    if (!this.#held) return undefined;
    try {
      return await this.#write(this.#held, signal);
    } catch (error) {
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.#held = undefined;
      return undefined;
    }
  }

  #isTaken({ spec }: Lease): boolean {
    const holder = spec?.holderIdentity ?? '';
    if (holder === '' || holder === this.#options.identity) return false;
    return this.#elected || this.#leftMs() > 0;
  }

  async #create(signal: AbortSignal): Promise<Standing> {
    const { leases, namespace, name, owner } = this.#options;
    const metadata = { namespace, name, ...(owner && { ownerReferences: [owner] }) };
    const sentAt = this.#reach();
    const spec = claimed(undefined, this.#ownClaim());
    return this.#renewed(await leases.create({ metadata, spec }, signal), sentAt);
  }

  async #write(lease: Lease, signal: AbortSignal): Promise<Standing> {
    const sentAt = this.#reach();
    const spec = claimed(lease.spec, this.#ownClaim());
    return this.#renewed(await this.#options.leases.replace({ ...lease, spec }, signal), sentAt);
  }

  #reach(): number {
    this.#reached = true;
    return this.#options.clock.monotonicMs();
  }

  #ownClaim() {
    const { identity, clock } = this.#options;
    return { identity, durationMs: this.#timing.leaseMs, now: clock.now() };
  }

  #renewed(lease: Lease, sentAt: number): Standing {
    const leftMs = sentAt + this.#timing.renewDeadlineMs - this.#options.clock.monotonicMs();
    this.#held = lease;
    this.#observe(lease);
    // The response took too long, or this process slept: another process may lead by now.
    if (leftMs <= 0 || this.#ended.signal.aborted) return 'unknown';
    this.#renewedAt = sentAt;
    this.#cancelDeadline?.();
    this.#cancelDeadline = this.#options.clock.schedule(leftMs, () =>
      this.#lose(new Error(`the lease could not be renewed for ${this.#timing.renewDeadlineMs} ms`)),
    );
    return 'held';
  }

  #observe(lease: Lease): void {
    const text = JSON.stringify(lease.spec);
    if (text === this.#observed?.text) return;
    const durationMs = (lease.spec?.leaseDurationSeconds ?? 0) * 1000 || this.#timing.leaseMs;
    this.#observed = { text, expiresAt: this.#options.clock.monotonicMs() + durationMs };
  }

  /** Remaining time for which the last observed lease must be respected. */
  #leftMs(): number {
    return (this.#observed?.expiresAt ?? -Infinity) - this.#options.clock.monotonicMs();
  }

  /**
   * Attempts start at intervals; an attempt longer than its interval is followed by the next immediately. A candidate
   * also tries when the lease expires.
   */
  #untilNextMs(began: number): number {
    const { retryMs } = this.#timing;
    const intervalMs = this.#elected ? retryMs : retryMs * (1 + JITTER * this.#random());
    const turnMs = Math.max(0, began + intervalMs - this.#options.clock.monotonicMs());
    const leftMs = this.#elected ? 0 : this.#leftMs();
    return leftMs > 0 ? Math.min(turnMs, leftMs) : turnMs;
  }

  async #release(signal: AbortSignal): Promise<void> {
    const { leases, namespace, name, identity, clock } = this.#options;
    // Read again: a renewal that was in flight during the stop may have been written.
    const lease = await leases.find(namespace, name, signal);
    if (lease?.spec?.holderIdentity !== identity) return;
    const spec = released(lease.spec, clock.now());
    await leases.replace({ ...lease, spec }, signal);
  }
}

function checked(timing: LeaderElectionTiming): LeaderElectionTiming {
  const { leaseMs, renewDeadlineMs, retryMs } = timing;
  if (retryMs > 0 && renewDeadlineMs > retryMs * (1 + JITTER) && leaseMs > renewDeadlineMs) return timing;
  throw new RangeError(
    'leader election requires retryMs < renewDeadlineMs < leaseMs, with enough time between them',
  );
}

/**
 * Forwards every read, but a write only while `leading` returns true: a standby writes nothing, and neither does a
 * process that wakes from a long sleep before it notices that it lost the lease. Requests already sent are not
 * cancelled; the resourceVersion they carry decides.
 */
export class FencedTransport implements ApiTransport {
  readonly #inner: ApiTransport;
  readonly #leading: () => boolean;

  constructor(inner: ApiTransport, leading: () => boolean) {
    this.#inner = inner;
    this.#leading = leading;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (request.method !== 'GET' && !this.#leading()) {
      throw new Error('not written, because this process is not the leader');
    }
    return this.#inner.send(request);
  }
}
