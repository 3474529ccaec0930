import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Invoice } from './invoice.ts';

/** A lightweight /v1 client with keep-alive connections. */
export class BenchClient {
  /** Address of the service. */
  readonly url: string;
  readonly key: string;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** Sends a JSON request and returns the parsed body. Rejects on any status ≥ 300. */
  async call<T>(method: string, target: string, body?: object | string): Promise<T> {
    return JSON.parse((await this.send(method, target, body)).toString()) as T;
  }

  /** Sends a JSON request and returns the body. Rejects on any status ≥ 300. */
  async send(method: string, target: string, body?: object | string): Promise<Buffer> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const request = http.request(new URL(target, this.url), {
      method,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload ?? ''),
      },
    });
    request.end(payload);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const received = await buffer(response);
    if ((response.statusCode ?? 500) >= 300)
      throw new Error(`${target} answered ${response.statusCode}: ${received.toString()}`);
    return received;
  }

  /** Creates the invoice's template; returns a function that requests one document and waits for it. */
  async prepare(invoice: Invoice): Promise<() => Promise<void>> {
    const body = JSON.stringify({ template_id: await this.createTemplate(invoice), data: invoice.data });
    return this.generator(() => body);
  }

  /** Returns a function that requests one document and waits for it. */
  generator(body: () => object | string): () => Promise<void> {
    return async () => {
      const answer = await this.call<{ status: string }>('POST', '/v1/generate', body());
      if (answer.status !== 'completed')
        throw new Error(`a document was not completed: ${JSON.stringify(answer)}`);
    };
  }

  async createTemplate(invoice: Invoice): Promise<string> {
    return (await this.call<{ id: string }>('POST', '/v1/templates', templateBody(invoice))).id;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns the invoice's template in request form. */
export function templateBody({ template: { spec } }: Invoice) {
  return {
    name: spec.displayName,
    html: spec.html,
    css: spec.css,
    schema: spec.schema,
    default_options: { page_size: 'a4', margins: spec.defaultOptions?.margins },
  };
}
