import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** Complete response to one request. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /**
   * Returns the body as JSON; the caller specifies its type. If it is not JSON, throws with the body in the message.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a cast, kept in one place
  json<T = Record<string, unknown>>(): T;
}

export interface SendOptions {
  /** Objects are sent as JSON, strings and bytes unchanged. */
  readonly body?: unknown;
  /** An empty string removes a default header. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Template in /v1 (interface, "Template"). */
export interface TemplateResponse {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly default_options?: unknown;
}

/** Document in /v1 (interface, "Generation (document)"). */
export interface GenerationResponse {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly template_id: string;
  readonly file_url?: string;
  readonly status_url: string;
  readonly file_size?: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly render_time_ms?: number;
  readonly warnings?: readonly { readonly code: string; readonly message: string; readonly name: string }[];
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ErrorResponse {
  readonly statusCode: number;
  readonly error: string;
  readonly message: string;
  readonly code: string;
  readonly details?: readonly ErrorDetail[];
  readonly request_id: string;
}

type ErrorDetail = Readonly<Record<string, unknown> & { path: string; message: string }>;

/** Types of the fields that an error detail can have, in addition to path and message. */
const WHERE = { name: 'string', part: 'string', line: 'number', column: 'number' };
const PLACE: Readonly<Record<string, string>> = WHERE;

/** HTTP API client that knows only the URL and a key. */
export class Api {
  readonly url: string;
  readonly key: string | undefined;

  constructor(url: string, key?: string) {
    this.url = url;
    this.key = key;
  }

  async send(method: string, path: string, options: SendOptions = {}): Promise<ApiResponse> {
    const { body, signal } = options;
    const asIs = typeof body === 'string' || body instanceof Uint8Array;
    const headers = new Headers({
      ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    });
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value === '') headers.delete(name);
    }
    const response = await fetch(this.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body: asIs ? (body as string) : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    return responseOf(response.status, response.headers, Buffer.from(await response.arrayBuffer()));
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.send('POST', path, { body, headers });
  }

  patch(path: string, body: unknown): Promise<ApiResponse> {
    return this.send('PATCH', path, { body });
  }

  delete(path: string): Promise<ApiResponse> {
    return this.send('DELETE', path);
  }

  async createTemplate(template: Record<string, unknown> = {}): Promise<TemplateResponse> {
    const body = { name: 'Acceptance', html: '<p>Hello {{name}}</p>', ...template };
    const answer = await this.post('/v1/templates', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json<TemplateResponse>();
  }

  /** Generates synchronously; the response must contain the finished document. */
  async generate(
    template_id: string,
    data: Record<string, unknown> = {},
    more: Record<string, unknown> = {},
  ): Promise<GenerationResponse> {
    const answer = await this.post('/v1/generate', { template_id, data, ...more });
    expect(answer.status, answer.text).toBe(200);
    const generation = answer.json<GenerationResponse>();
    expect(generation.status, answer.text).toBe('completed');
    return generation;
  }

  /** Generates synchronously and downloads the file. */
  async document(...request: Parameters<Api['generate']>): Promise<Buffer> {
    const { id } = await this.generate(...request);
    const answer = await this.get(`/v1/generate/${id}/download`);
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    return answer.bytes;
  }

  /** Polls the status until it is final. */
  async finished(id: string, timeoutMs = 60_000): Promise<GenerationResponse> {
    const isOpen = ({ status }: GenerationResponse) => status === 'pending' || status === 'processing';
    const look = async () => {
      const answer = await this.get(`/v1/generate/${id}`);
      return (answer.status !== 200 || !isOpen(answer.json<GenerationResponse>())) && answer;
    };
    const answer = await eventually(look, { timeoutMs, intervalMs: 50 });
    expect(answer.status, answer.text).toBe(200);
    return answer.json<GenerationResponse>();
  }
}

export function responseOf(status: number, headers: Headers, bytes: Buffer): ApiResponse {
  const text = bytes.toString();
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a cast, kept in one place
  const json = <T>() => {
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new Error(`${status} without a JSON body: ${JSON.stringify(text.slice(0, 500))}`, { cause });
    }
  };
  return { status, headers, bytes, text, json };
}

/**
 * Expects an error as documented: the status, JSON in the common format, an actionable message, and no implementation
 * details.
 */
export function expectError(
  answer: ApiResponse,
  status: number | readonly number[],
  code?: string,
): ErrorResponse {
  const allowed = typeof status === 'number' ? [status] : status;
  expect(allowed, `${answer.status} ${answer.text.slice(0, 500)}`).toContain(answer.status);
  expect(answer.headers.get('content-type'), answer.text.slice(0, 500)).toMatch(/^application\/json\b/);
  const body = answer.json<ErrorResponse>();
  expect(body).toMatchObject({
    statusCode: answer.status,
    error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
    message: expect.stringMatching(/\S.{8,}/s),
    code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
    request_id: expect.stringMatching(/\S/),
  });
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d+|\bat \S+ \(|FST_|tf_(live|test)_[A-Za-z0-9]{8}/);
  for (const { path, message, ...place } of body.details ?? []) {
    expect(path).toMatch(/^(\/|$)/);
    expect(message).toMatch(/\S/);
    for (const [member, value] of Object.entries(place)) expect(typeof value, member).toBe(PLACE[member]);
  }
  if (code !== undefined) expect(body.code, answer.text).toBe(code);
  return body;
}
