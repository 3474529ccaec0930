import { yieldForLarge } from '../../request-body/yield-for-large.ts';
import { KubernetesApiError, type ApiStatus } from './api-error.ts';
import { ListDecoder } from './list-decoder.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from './transport.ts';

/** A list without its items. */
interface RawList {
  readonly items: unknown[] | null;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/**
 * Sends a request and returns the response as it arrives. Like all functions here, rejects with KubernetesApiError when
 * the server returns an error or cannot be reached.
 */
export async function open(transport: ApiTransport, request: ApiRequest): Promise<ApiResponse> {
  const response = await reached(request, transport.send(request));
  if (response.status >= 400) throw errorResponse(response, await textOf(request, response));
  return response;
}

/** Returns the response as text. */
export async function readText(transport: ApiTransport, request: ApiRequest): Promise<string> {
  return textOf(request, await open(transport, request));
}

/** Returns the response as an object. */
export async function readJson<T>(transport: ApiTransport, request: ApiRequest): Promise<T> {
  const response = await open(transport, request);
  const body = await textOf(request, response);
  await yieldForLarge(body);
  const value = parseObject(body);
  await yieldForLarge(body);
  if (!value) throw notAnApi(response.status);
  return value as T;
}

/** Passes on a list's items as they arrive, and returns the list without them. */
export async function readList(
  transport: ApiTransport,
  request: ApiRequest,
  onItem: (item: unknown) => void,
): Promise<RawList> {
  const response = await open(transport, request);
  const decoder = new ListDecoder(onItem);
  try {
    for await (const piece of response.body) await decoder.push(piece);
    const list = decoder.end();
    if (isList(list)) return list;
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (!(cause instanceof SyntaxError)) throw unreachable(cause);
  }
  throw notAnApi(response.status);
}

function isList(value: unknown): value is RawList {
  const { items, metadata } = (value ?? {}) as Partial<RawList>;
  // An empty metadata-only list has `items: null`.
  return (items === null || Array.isArray(items)) && !!metadata?.resourceVersion;
}

async function textOf(request: ApiRequest, response: ApiResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  const read = async () => {
    for await (const piece of response.body) pieces.push(piece);
  };
  await reached(request, read());
  return Buffer.concat(pieces).toString();
}

async function reached<T>({ signal }: ApiRequest, exchange: Promise<T>): Promise<T> {
  try {
    return await exchange;
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreachable(cause);
  }
}

/**
 * Converts an error response. A body that is not a Status, such as a proxy's page, is reported only by its HTTP status.
 */
function errorResponse(response: ApiResponse, body: string): KubernetesApiError {
  const seconds = Number(response.headers['retry-after']);
  const options = Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
  const status = parseObject(body) as ApiStatus | undefined;
  if (status?.kind === 'Status') return new KubernetesApiError({ ...status, code: response.status }, options);
  return new KubernetesApiError(
    { code: response.status, message: `the API server returned ${response.status}` },
    options,
  );
}

function unreachable(cause: unknown): KubernetesApiError {
  const message = `the API server cannot be reached: ${(cause as Error).message}`;
  return new KubernetesApiError({ code: 0, reason: 'Unreachable', message }, { cause });
}

/**
 * Something between this process and the API server responded instead. The message does not quote the body, which may
 * contain anything.
 */
function notAnApi(status: number): KubernetesApiError {
  const message = `the response (${status}) is not from the Kubernetes API: check that the address is not a proxy or another service`;
  return new KubernetesApiError({ code: 0, reason: 'NotAnApiServer', message });
}

function parseObject(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
