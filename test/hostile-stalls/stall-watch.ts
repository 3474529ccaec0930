import type { InputPoint } from './input-points.ts';
import { ServiceUnderProbe, type HostileRequest } from './service-under-probe.ts';

/** Untrusted text at a point where it enters the service. */
export interface HostileInput {
  readonly name: string;
  readonly point: InputPoint;
  /** Returns a string of at most `length` characters. */
  readonly text: (length: number) => string;
  /** Length of the long string in characters; the short string is a quarter of that. */
  readonly length: number;
}

/**
 * Maximum stall, as a multiple of the JSON.parse time of the request (only its first MiB counts): parsing cannot be
 * divided, and the garbage collection that follows may take as long again.
 */
const PARSES_OF_REQUEST = 3;
/** Maximum length in bytes; longer bodies are parsed in a child process. */
const MAX_PARSED_LENGTH = 2 ** 20;
/**
 * Alternative maximum stall, as a multiple of the JSON.parse time of REFERENCE; the larger limit applies. Reading 20
 * MiB of a merged document from its process takes up to twelve.
 */
const PARSES_OF_REFERENCE = 16;
/** Growth in linear work when the string is four times as long. */
const LINEAR_GROWTH = 4;
/**
 * Maximum growth of a stall, as a multiple of the growth of linear work or, if it is larger, of JSON.parse. Quadratic
 * work grows four times as much as linear work. Linear work on tens of megabytes grows up to twice as much as it
 * should, because of garbage collection.
 */
const MAX_GROWTH = 3;
/** Minimum stall in milliseconds; the growth of shorter stalls is not compared. */
const MIN_COMPARED_MS = 20;
/**
 * A garbage collection can look like a stall but does not follow every document, so the shortest of up to this many
 * measurements is used.
 */
const MEASUREMENTS = 6;
/** A stall that exceeds the limit by this factor is not measured again. */
const CERTAIN = 5;

/** About 1 MiB of JSON with all kinds of values. */
export const REFERENCE = JSON.stringify(
  Array.from({ length: 9000 }, (_, number) => ({
    number,
    description: `Line ${number} of an "ordinary" invoice`,
    price: number / 7,
    paid: number % 2 === 0,
    tags: ['a', null],
  })),
);

interface Stalls {
  readonly short: number;
  readonly long: number;
}

interface Limits {
  readonly maxMs: number;
  /** Maximum factor between the stalls of the short and the long string. */
  readonly growth: number;
}

/** Measures inputs on one service and starts another one after a failed input. */
export class StallWatch {
  #service: ServiceUnderProbe | undefined;
  /** The idle service's longest stall, in milliseconds. */
  #idleMs = 0;

  /**
   * Returns the problem with the stalls that the input causes; undefined if they are short. Measures again before it
   * reports a problem.
   */
  async problemOf(input: HostileInput): Promise<string | undefined> {
    const service = await this.#started();
    let problem: string | undefined;
    try {
      problem = await this.#measure(service, input);
    } catch (error) {
      problem = `no answer: ${messageOf(error)}`;
    }
    if (problem !== undefined) await this.stop();
    return problem;
  }

  async stop(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.kill();
  }

  async #started(): Promise<ServiceUnderProbe> {
    if (this.#service) return this.#service;
    this.#service = await ServiceUnderProbe.start();
    this.#idleMs = await this.#service.longestStall();
    return this.#service;
  }

  async #measure(
    service: ServiceUnderProbe,
    { point, text, length }: HostileInput,
  ): Promise<string | undefined> {
    const request = (size: number) => point.request(text(size), service.templates);
    const [short, long] = [request(length / 4), request(length)];
    const idleMs = this.#idleMs;
    const referenceMs = await service.parseTime(REFERENCE);
    const parseMs = await parseTimeOf(service, long);
    const limits: Limits = {
      maxMs: Math.max(PARSES_OF_REQUEST * parseMs, PARSES_OF_REFERENCE * referenceMs),
      growth: MAX_GROWTH * (await parseGrowth(service, short, parseMs)),
    };
    const stallOf = async (one: HostileRequest) => (await service.longestStall(one)) - idleMs;

    let stalls: Stalls = { short: Infinity, long: Infinity };
    for (let count = 0; count < MEASUREMENTS; count += 1) {
      stalls = {
        // Stalls shorter than the idle service's stalls cannot be distinguished from them.
        short: Math.max(idleMs, Math.min(stalls.short, await stallOf(short))),
        long: Math.min(stalls.long, await stallOf(long)),
      };
      if (describeProblem(stalls, limits) === undefined) return undefined;
      if (stalls.long > CERTAIN * limits.maxMs) break;
    }
    const base = `idle ${round(idleMs)} ms, JSON.parse of the request ${round(parseMs)} ms, of 1 MiB ${round(referenceMs)} ms`;
    return `${describeProblem(stalls, limits)}\n${base}`;
  }
}

function describeProblem({ short, long }: Stalls, limits: Limits): string | undefined {
  const { maxMs, growth } = limits;
  if (long > maxMs) return `a stall of ${round(long)} ms; at most ${round(maxMs)} ms`;
  if (long < MIN_COMPARED_MS || long <= growth * short) return undefined;
  return `a stall of ${round(long)} ms, and of ${round(short)} ms for a quarter of the text`;
}

/** JSON.parse time of the request on the main thread, in milliseconds. */
async function parseTimeOf(service: ServiceUnderProbe, request: HostileRequest): Promise<number> {
  const text = textOf(request);
  return (await service.parseTime(text)) * Math.min(1, MAX_PARSED_LENGTH / Buffer.byteLength(text));
}

/** With many names in one object, JSON.parse takes more than four times as long for four times the input. */
async function parseGrowth(
  service: ServiceUnderProbe,
  short: HostileRequest,
  longMs: number,
): Promise<number> {
  if (longMs < MIN_COMPARED_MS) return LINEAR_GROWTH;
  return Math.max(LINEAR_GROWTH, longMs / (await parseTimeOf(service, short)));
}

/** The string that the service reads. */
function textOf(request: HostileRequest): string {
  if ('kind' in request) return JSON.stringify(request.spec);
  return request.body ?? JSON.stringify([request.path, request.headers]);
}

function round(ms: number): string {
  return ms.toFixed(1);
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause === undefined ? message : `${message} (${messageOf(cause)})`;
}
