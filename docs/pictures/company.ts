import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Resolver } from 'node:dns/promises';
import {
  DOCUMENT_FORMATS,
  SCOPES,
  TEMPLATE,
  USAGE_REPORT,
  type Draft,
  type Scope,
  type Template,
  type UsageReport,
} from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { mintKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import { Clock, systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { loadStandaloneConfig } from '../../standalone/config.ts';
import { Standalone } from '../../standalone/standalone.ts';
import { TrifoldClient } from '../../clients/typescript/index.ts';
import { temporaryDirectory } from '@trifold/test-support/service.ts';
import { parse } from 'yaml';

const ACCOUNT = 'papierwerk';
/** Port of the company's own system, which receives webhooks. */
const RECEIVER_PORT = 3000;
const DAY_MINUTES = 24 * 60;

export const EXAMPLES = [
  'invoice',
  'letter',
  'certificate',
  'label',
  'report',
  'accessible-report',
  'sepa-invoice',
  'swiss-bill',
  'e-invoice',
] as const;
export type Example = (typeof EXAMPLES)[number];

/** A clock that can run behind by any number of minutes, so that past activity can be created. */
class SlowClock extends Clock {
  minutes = 0;

  override now(): Date {
    return new Date(Date.now() - this.minutes * 60_000);
  }

  override monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  override schedule(delayMs: number, callback: () => void): () => void {
    return systemClock.schedule(delayMs, callback);
  }
}

/** Returns an example's file. */
export async function exampleFile(name: string): Promise<string> {
  return readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');
}

/** Returns an example's sample data. */
export async function exampleData(name: Example): Promise<Record<string, unknown>> {
  return JSON.parse(await exampleFile(`${name}/data.json`)) as Record<string, unknown>;
}

/** A service that a company has been using for a few weeks. */
export class Company {
  readonly url: string;
  /** Key of the user whose pages are shown. */
  readonly key: string;
  readonly client: TrifoldClient;
  readonly clock: SlowClock;
  readonly #service: Standalone;
  readonly #close: () => Promise<void>;

  private constructor(service: Standalone, clock: SlowClock, key: string, close: () => Promise<void>) {
    this.#service = service;
    this.clock = clock;
    this.key = key;
    this.url = service.url;
    this.client = new TrifoldClient({ baseUrl: service.url, apiKey: key });
    this.#close = close;
  }

  /** Starts the service on the port that the documentation names, with the clock set three weeks back. */
  static async start(): Promise<Company> {
    const data = await temporaryDirectory();
    const clock = new SlowClock();
    clock.minutes = 21 * DAY_MINUTES;
    const config = loadStandaloneConfig({
      TRIFOLD_BROWSER: process.env['TRIFOLD_BROWSER'],
      TRIFOLD_DATA: data,
      TRIFOLD_PORT: process.env['TRIFOLD_PORT'] ?? '8080',
      TRIFOLD_LOG_LEVEL: 'error',
      TRIFOLD_PRICES: 'currency=EUR,pdf=0.012,docx=0.012,png=0.006',
      TRIFOLD_DOWNLOAD_ACCESS: 'account',
      TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
      TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
      TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s,2s,1h',
    });
    const logger = createLogger({ level: config.process.logLevel, name: 'trifold' });
    const controller = { ...config.controller, usageIntervalMs: 500 };
    const service = await Standalone.start({ ...config, controller }, logger, clock);
    const close = async () => {
      await service.stop();
      await rm(data, { recursive: true, force: true, maxRetries: 5 });
    };
    await ensureAccount(service.kubernetes, ACCOUNT);
    const person = { account: ACCOUNT, name: 'Nora Brandt', scopes: SCOPES, mode: 'live' } as const;
    const { key } = await mintKey(service.kubernetes, person, clock.now());
    return new Company(service, clock, key, close);
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  /** Creates an API key for a program. Returns a client that uses it. */
  async program(name: string, scopes: Scope[], type: 'live' | 'test' = 'live'): Promise<TrifoldClient> {
    const { key } = await this.client.apiKeys.create({ name, scopes, type });
    return new TrifoldClient({ baseUrl: this.url, apiKey: key });
  }

  /** Applies the examples as kubectl does, with their sample data. */
  async applyExamples(): Promise<void> {
    const templates = this.#service.kubernetes.resource<Template>(TEMPLATE);
    for (const name of EXAMPLES) {
      const { metadata, spec } = parse(await exampleFile(`${name}.yaml`)) as Draft<Template>;
      await templates.create({ metadata: { ...metadata, namespace: ACCOUNT }, spec });
      this.clock.minutes -= 37;
    }
    for (const name of EXAMPLES) await this.#saveSample(name);
  }

  /** Retries once: the service may not have seen the template yet. */
  async #saveSample(name: Example): Promise<void> {
    const samples = [{ name: 'Example', data: await exampleData(name) }];
    const save = () => this.client.templates.saveSamples(name, samples);
    await save().catch(async () => {
      await systemClock.sleep(500);
      await save();
    });
  }

  /** Writes the usage of the previous days. */
  async writeUsage(days: number): Promise<void> {
    const reports = this.#service.kubernetes.resource<UsageReport>(USAGE_REPORT);
    for (let ago = days; ago > 0; ago -= 1) {
      const date = new Date(Date.now() - ago * DAY_MINUTES * 60_000);
      const day = date.toISOString().slice(0, 10);
      const isWeekend = [0, 6].includes(date.getUTCDay());
      const level = (isWeekend ? 0.25 : 1) * (1 + 0.25 * Math.sin(ago * 1.7) + (days - ago) / (2 * days));
      const live = documentsOfDay(level * 410);
      const report = await reports.create({ metadata: { name: day, namespace: ACCOUNT }, spec: { day } });
      const documents = { live, test: documentsOfDay(level * 16) };
      const pages = Math.round((live.pdf ?? 0) * 1.8);
      await reports.replaceStatus({
        ...report,
        status: {
          documents,
          pages,
          bytes: pages * 31_000,
          failed: ago % 6 === 0 ? 2 : 0,
          batches: isWeekend ? 0 : 3,
          emails: { live: Math.round(level * 120), test: 0 },
          emailsCounted: true,
        },
      });
    }
  }
}

function documentsOfDay(total: number): Record<string, number> {
  const shares: Readonly<Record<string, number>> = { pdf: 0.82, docx: 0.07, png: 0.06, html: 0.03 };
  return Object.fromEntries(
    DOCUMENT_FORMATS.map((format) => [format, Math.round(total * (shares[format] ?? 0.01))]),
  );
}

/** Starts the company's webhook receiver, which is unavailable for the first requests. */
export async function startReceiver(): Promise<{ url: string; stop: () => Promise<void> }> {
  // The company's host names resolve to this machine.
  Object.assign(Resolver.prototype, { resolve4: async () => ['127.0.0.1'], resolve6: async () => [] });
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    if (requests === 4)
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Deployment in progress');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"received": true}');
  });
  await new Promise<void>((resolve) => server.listen(RECEIVER_PORT, '127.0.0.1', resolve));
  return {
    url: `http://erp.papierwerk.internal:${RECEIVER_PORT}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
