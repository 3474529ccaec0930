/**
 * Runs in a container (`node --input-type=module-typescript -e`) as a compromised component, and prints what it can
 * reach as JSON. Its argument is a Plan. Each attempt is harmless if it succeeds.
 */
import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { accessSync, closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import type { Plan, Reached, Survey } from './attackers-plan.ts';

const TIMEOUT_MS = 5000;
/** A name server queries other servers first. */
const DNS_TIMEOUT_MS = 20_000;
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
/** Flags of a listening Unix socket and state of a listening TCP socket, in /proc/net. */
const LISTENING_UNIX = '00010000';
const LISTENING_TCP = '0A';

const plan = JSON.parse(process.argv[1] ?? '') as Plan;

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
function isPossible(action: () => void): boolean {
  return attempt(() => {
    action();
    return true;
  }, false);
}
const text = (path: string) => attempt(() => readFileSync(path, 'utf8'), '');
const fields = (path: string) =>
  text(path)
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

function look(): Survey {
  const pids = attempt(() => readdirSync('/proc'), [])
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  const unix = fields('/proc/net/unix').filter((line) => line[3] === LISTENING_UNIX);
  const tcp = [...fields('/proc/net/tcp'), ...fields('/proc/net/tcp6')].filter(
    (line) => line[3] === LISTENING_TCP,
  );
  return {
    processes: pids.map((pid) => ({ pid, command: text(`/proc/${pid}/cmdline`) })),
    mounts: fields('/proc/self/mountinfo').map((line) => line[4] ?? ''),
    sockets: unix.map((line) => line[7] ?? '').filter(Boolean),
    ports: tcp.map((line) => Number.parseInt(line[1]?.split(':')[1] ?? '', 16)),
  };
}

/**
 * Returns the response up to the end of the connection, or an empty string if there is no request; undefined on
 * failure.
 */
async function exchange(to: NetConnectOpts, request?: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let response = '';
  const socket = connect({ ...to, timeout: TIMEOUT_MS });
  socket.on('connect', () => (request === undefined ? resolve('') : socket.write(request)));
  socket.on('data', (piece) => void (response += piece.toString()));
  socket.on('end', () => resolve(response));
  for (const event of ['timeout', 'error']) socket.on(event, () => resolve(undefined));
  return promise.finally(() => socket.destroy());
}

async function responses(to: NetConnectOpts): Promise<boolean> {
  return (await exchange(to).catch(() => undefined)) !== undefined;
}

function addressOf(target: string): { host: string; port: number } {
  const [host = '', port] = target.split(':');
  return { host, port: Number(port) };
}

async function those<T>(all: readonly T[], response: (one: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.all(all.map(response));
  return all.filter((_, index) => results[index]);
}

async function byName<T, R>(all: Readonly<Record<string, T>>, ask: (one: T) => Promise<R>) {
  const results = await Promise.all(
    Object.entries(all).map(async ([name, one]) => [name, await ask(one)] as const),
  );
  return Object.fromEntries(results);
}

/** Sends a command, with the environment's password if there is one. */
async function redis(command: readonly string[]): Promise<string> {
  const { TRIFOLD_REDIS_USERNAME: user = 'default', TRIFOLD_REDIS_PASSWORD: password } = process.env;
  const words = (all: readonly string[]) =>
    all.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
  const login = password === undefined ? [] : [['AUTH', user, password]];
  const request = [...login, command, ['QUIT']].map((all) => `*${all.length}\r\n${words(all)}`).join('');
  return (await exchange(addressOf(plan.redis), request).catch(() => undefined)) ?? '';
}

/** Returns the waiting task, opened with the environment's keys if there are any. */
async function waitingTask(): Promise<string> {
  const response = await redis(plan.task.read);
  const keys = process.env['TRIFOLD_TASK_KEYS']?.split(',');
  const sealed = /"([A-Za-z0-9+/=]{40,})"/.exec(response)?.[1];
  if (keys === undefined || sealed === undefined) return response;
  const { TaskSeal } = await import('@trifold/platform/render-queue/bullmq/task-seal.ts');
  return JSON.stringify(new TaskSeal(keys).openTask(plan.task.id, sealed) ?? '');
}

/** Sends a request to the object store, signed with the environment's keys if there are any. */
async function store(method: string, object: string): Promise<number> {
  const { TRIFOLD_S3_ACCESS_KEY: accessKey, TRIFOLD_S3_SECRET_KEY: secretKey } = process.env;
  let url = `http://${plan.store}/${plan.bucket}/${object}`;
  if (accessKey !== undefined && secretKey !== undefined) {
    const { default: aws4 } = await import('aws4');
    const keys = { accessKeyId: accessKey, secretAccessKey: secretKey };
    const path = `/${plan.bucket}/${object}?X-Amz-Expires=60`;
    const request = { service: 's3', host: plan.store, method, path, signQuery: true };
    url = `http://${plan.store}${aws4.sign(request, keys).path}`;
  }
  const body = method === 'PUT' ? 'x' : null;
  const sent = fetch(url, { method, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return sent.then(({ status }) => status).catch(() => 0);
}

/** Any response shows that the query left the pod. No names exist under `.test`. */
async function asksDns(): Promise<boolean> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const resolved = resolver.resolve4('attackers-view.test').then(() => 'ENOTFOUND');
  const code = await resolved.catch((error: NodeJS.ErrnoException) => error.code ?? '');
  return ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED'].includes(code);
}

const survey = plan.survey ?? look();
const pids = survey.processes.map(({ pid }) => pid);
const open = (path: string) => closeSync(openSync(path, 'r'));
const parts = (pid: number) => ['environ', 'maps', 'mem'].map((part) => () => open(`/proc/${pid}/${part}`));
const environments = pids
  .flatMap((pid) => text(`/proc/${pid}/environ`).split('\0'))
  .map((line) => {
    const [name = ''] = line.split('=');
    return [name, line.slice(name.length + 1)] as const;
  });
const variables = [...environments, ...Object.entries(process.env)].filter(([, value]) => value);
const sha256 = (value = '') => createHash('sha256').update(value).digest('hex');
const allows = (mode: number) => survey.mounts.filter((path) => isPossible(() => accessSync(path, mode)));
const claims = Buffer.from(text(TOKEN).split('.')[1] ?? '', 'base64url').toString();

const reached: Reached = {
  survey,
  ends: pids.filter((pid) => isPossible(() => process.kill(pid, 0))),
  reads: pids.filter((pid) => [...parts(pid), () => readdirSync(`/proc/${pid}/fd`)].some(isPossible)),
  environment: Object.fromEntries(variables.map(([name, value]) => [name, sha256(value)])),
  writable: allows(constants.W_OK),
  readable: allows(constants.R_OK),
  account: attempt(() => (JSON.parse(claims) as { sub: string }).sub.split(':').at(-1) ?? '', ''),
  sockets: await those(survey.sockets, (path) => responses({ path: path.replace(/^@/, '\0') })),
  ports: await those(survey.ports, (port) => responses({ host: '127.0.0.1', port })),
  redis: await byName(plan.commands, redis),
  task: await waitingTask(),
  store: {
    list: await store('GET', ''),
    get: await store('GET', 'attackers-view'),
    put: await store('PUT', 'attackers-view'),
    delete: await store('DELETE', 'attackers-view'),
  },
  asksDns: await asksDns(),
  targets: await those(Object.keys(plan.targets), (name) => responses(addressOf(plan.targets[name] ?? ''))),
};
process.stdout.write(JSON.stringify(reached));
