/** `npm run demo`: starts the service with temporary data, generates the example invoice through /v1 and exits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { GENERATION_JOB, TEMPLATE, type Draft, type GenerationJob, type Template } from '@trifold/crds';
import { FIRST_ACCOUNT } from '@trifold/platform/records/api-keys/account.ts';
import { generateKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { onProcessExit } from '@trifold/platform/child-process/exit-cleanup.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { parse } from 'yaml';
import { loadStandaloneConfig } from './config.ts';
import { Standalone } from './standalone.ts';
import { startFailure } from './start-failure.ts';
import { exitCodeOf, onStopSignal } from './stop-signals.ts';

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
const OUTPUT = path.resolve('demo-output', 'invoice.pdf');

interface GenerationResponse {
  id: string;
  status: string;
  file_url: string;
  file_size: number;
  render_time_ms: number;
  expires_at: string;
  message?: string;
}

/** Maximum time to stop after Ctrl-C. */
const MAX_STOP_MS = 9_500;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function demo(stop: AbortSignal): Promise<void> {
  const data = mkdtempSync(path.join(tmpdir(), 'trifold-demo-'));
  const forget = onProcessExit(() => rmSync(data, { recursive: true, force: true, maxRetries: 20 }));
  const key = generateKey('live');
  const environment = {
    TRIFOLD_BROWSER: process.env['TRIFOLD_BROWSER'],
    TRIFOLD_DATA: data,
    TRIFOLD_PORT: '0',
    TRIFOLD_LIVE_KEY: key,
    TRIFOLD_LOG_LEVEL: 'warn',
  };
  const started = performance.now();
  let service: Standalone | undefined;
  try {
    const config = loadStandaloneConfig(environment);
    service = await Standalone.start(
      config,
      createLogger({ level: config.process.logLevel, name: 'trifold' }),
    );
    say(`1. Service started in ${since(started)} at ${service.url}, data in ${data}`);
    await makeInvoice(service, key, stop);
  } finally {
    await service?.stop();
    await rm(data, { recursive: true, force: true });
    forget();
  }
  say('5. Service stopped, data removed.');
  say(`\nOpen ${OUTPUT}`);
}

async function makeInvoice(service: Standalone, key: string, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted();
  const template = await applyTemplate(service);
  const { name, generation } = template.metadata;
  say(`2. Template "${name}" applied, version ${generation}`);

  const authorization = `Bearer ${key}`;
  const asked = performance.now();
  const response = await fetch(`${service.url}/v1/generate`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      template_id: name,
      data: await readJson('invoice/data.json'),
      filename: 'invoice.pdf',
    }),
    signal: stop,
  });
  const answer = (await response.json()) as GenerationResponse;
  if (response.status !== 200 || answer.status !== 'completed')
    throw new SetupError(JSON.stringify(answer, null, 2));
  say(
    `3. POST /v1/generate returned ${response.status} in ${since(asked)}: job ${answer.id} ${answer.status}`,
  );
  const job = await service.kubernetes.resource<GenerationJob>(GENERATION_JOB).get(FIRST_ACCOUNT, answer.id);
  say(`   ${describeWork(job)}`);
  say(`   ${job.status?.pages} pages, ${answer.file_size} bytes, available until ${answer.expires_at}`);

  const file = await fetch(service.url + answer.file_url, { headers: { authorization }, signal: stop });
  if (!file.ok) throw new SetupError(`the download returned ${file.status}: ${await file.text()}`);
  await save(Buffer.from(await file.arrayBuffer()));
  say(`4. GET ${answer.file_url}\n   saved to ${OUTPUT}`);
}

async function save(document: Buffer): Promise<void> {
  try {
    await mkdir(path.dirname(OUTPUT), { recursive: true });
    await writeFile(OUTPUT, document);
  } catch (cause) {
    const reason = `${OUTPUT} cannot be written: ${(cause as Error).message}`;
    throw new SetupError(`${reason}: run the demo in a directory that this user can write to`, cause);
  }
}

function describeWork({ status }: GenerationJob): string {
  const { queuedMs = 0, mergeMs = 0, printMs = 0, storeMs = 0 } = status?.timings ?? {};
  const steps = { queued: queuedMs, merge: mergeMs, print: printMs, store: storeMs };
  return Object.entries(steps)
    .map(([step, milliseconds]) => `${step} ${milliseconds.toFixed(1)} ms`)
    .join(', ');
}

async function applyTemplate(service: Standalone): Promise<Template> {
  const manifest = parse(await readFile(path.join(EXAMPLES, 'invoice.yaml'), 'utf8')) as Draft<Template>;
  const metadata = { ...manifest.metadata, namespace: FIRST_ACCOUNT };
  return service.kubernetes.resource<Template>(TEMPLATE).create({ metadata, spec: manifest.spec });
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(EXAMPLES, file), 'utf8')) as unknown;
}

function since(start: number): string {
  return `${Math.round(performance.now() - start)} ms`;
}

const stop = new AbortController();
onStopSignal((signal) => {
  process.exitCode = exitCodeOf(signal);
  // Exits even if a part hangs.
  setTimeout(() => process.exit(), MAX_STOP_MS).unref();
  stop.abort();
});
try {
  await demo(stop.signal);
} catch (error) {
  if (stop.signal.aborted) say('Stopped, data removed.');
  else {
    process.stderr.write(`The demo failed: ${startFailure(error)}\n`);
    process.exitCode = 1;
  }
}
