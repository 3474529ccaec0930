import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { eventually } from '../support/eventually.ts';
import type { Plan, Reached, Survey } from './attackers-plan.ts';
import type { Component, Installation } from './installation.ts';
import { NetworkTargets, targetsBeyond } from './network-targets.ts';

/** A column's cells by row name. */
export type Column = Readonly<Record<string, string>>;

interface Part {
  readonly component: Component;
  readonly container: string;
  /** Starts Node as this component. @default with the container's environment */
  readonly node?: readonly string[];
  readonly survey?: Survey;
}

const NODE = '/usr/local/bin/node';
/** Child processes have no environment. */
const CHILD = ['env', '--ignore-environment', NODE];
const PROBE = await readFile(new URL('attackers-probe.ts', import.meta.url), 'utf8');
/** Redis key prefix and bucket name: the chart's defaults. */
const NAME = 'trifold';
const QUEUE = `${NAME}:asynchronous`;
/** Appears only in the waiting task's data. */
const CANARY = randomUUID();

/** None of these changes anything: FLUSHALL has an invalid option, and Redis checks the permission first. */
const COMMANDS = {
  'keys of the queues': ['HGETALL', `${QUEUE}:meta`],
  'other keys': ['GET', 'attackers-view'],
  'other keys in a script': ['EVAL', "return redis.call('GET', 'attackers-view')", '1', `${QUEUE}:meta`],
  'names of keys': ['KEYS', 'attackers-view'],
  configuration: ['CONFIG', 'GET', 'port'],
  users: ['ACL', 'LIST'],
  'deletion of everything': ['FLUSHALL', 'attackers-view'],
};
const DENIED = /NOAUTH|NOPERM|can't access/;

/** Takes over components of the installation, one process each, and lists what they can reach. */
export class AttackersView {
  readonly #installation: Installation;
  readonly #network: NetworkTargets;
  /** SHA-256 of every value in a Secret of the release's namespace. */
  readonly #secrets: ReadonlySet<string>;
  #task: Plan['task'] = { id: '', read: ['PING'] };

  private constructor(installation: Installation, network: NetworkTargets, secrets: ReadonlySet<string>) {
    this.#installation = installation;
    this.#network = network;
    this.#secrets = secrets;
  }

  static async prepare(installation: Installation): Promise<AttackersView> {
    const network = await NetworkTargets.start(installation, 'outside-of-attackers');
    const { items } = JSON.parse(await installation.ours('get', 'secrets', '--output=json')) as {
      items: { data?: Record<string, string> }[];
    };
    const values = items.flatMap(({ data = {} }) => Object.values(data));
    const view = new AttackersView(installation, network, new Set(values.map(sha256OfBase64)));
    try {
      view.#task = await view.#waitingTask();
      return view;
    } catch (error) {
      await view.stop();
      throw error;
    }
  }

  /** Releases the waiting task. */
  async stop(): Promise<void> {
    await this.#redis('HDEL', `${QUEUE}:meta`, 'paused');
    await this.#network.stop();
  }

  /** Returns the page's columns, by component. */
  async columns(): Promise<Record<string, Column>> {
    const renderer = { component: 'renderer', container: 'renderer' } as const;
    // Runs sequentially within a container, because the processes would otherwise see each other.
    const inRenderer = async () => {
      const native = await this.#run({ ...renderer, node: CHILD });
      const script = await this.#run({ ...renderer, node: scriptOf(native.survey), survey: native.survey });
      return [native, script, await this.#run(renderer)] as const;
    };
    const service = (component: Component) => this.#run({ component, container: component });
    const [browser, [native, script, own], gateway, controller] = await Promise.all([
      this.browser(),
      inRenderer(),
      service('gateway'),
      service('controller'),
    ]);
    return {
      Browser: browser,
      'Merge process': this.#column(native),
      'Script in a merge process': this.#column(script),
      Renderer: this.#column(own),
      Gateway: this.#column(gateway),
      Controller: this.#column(controller),
    };
  }

  async browser(): Promise<Column> {
    return this.#column(await this.#run({ component: 'renderer', container: 'browser' }));
  }

  async #run({ component, container, node = [NODE], survey }: Part): Promise<Reached> {
    const { targets } = this.#network;
    const plan: Plan = {
      targets: targetsBeyond(component, targets),
      redis: targets['redis (pod)']!,
      commands: COMMANDS,
      task: this.#task,
      store: targets['minio (pod)']!,
      bucket: NAME,
      ...(survey && { survey }),
    };
    const [pod] = await this.#installation.pods(component);
    const probe = ['--input-type=module-typescript', '--eval', PROBE, JSON.stringify(plan)];
    const exec = ['exec', pod!.name, `--container=${container}`, '--', ...node, ...probe];
    return JSON.parse(await this.#installation.ours(...exec)) as Reached;
  }

  #column(reached: Reached): Column {
    const cells = {
      'Services and browsers that it can end': namesOf(reached, reached.ends).filter(isService),
      'Processes whose environment, memory and files it can read': namesOf(reached, reached.reads),
      'Credentials in the environments that it can read': Object.entries(reached.environment)
        .filter(([, hash]) => this.#secrets.has(hash))
        .map(([name]) => name),
      'Files that it can change': reached.writable.filter(isBeyondImage),
      'Other files beyond the image': reached.readable.filter(
        (path) => isBeyondImage(path) && !reached.writable.includes(path),
      ),
      'Service account': [reached.account],
      'Unix sockets': reached.sockets,
      'Ports of its own pod': reached.ports.map(String),
      'Other addresses': reached.targets.map((name) => name.replace(/ \((pod|Service|node)\)$/, '')),
      'DNS queries': reached.asksDns ? ['for any name'] : [],
      Redis: namesWhere(reached.redis, (response) => response !== '' && !DENIED.test(response)),
      'Waiting tasks': DENIED.test(reached.task) || reached.task === '' ? [] : [contentOf(reached.task)],
      'Object store': namesWhere(reached.store, (status) => status !== 0 && status !== 403),
    };
    return Object.fromEntries(Object.entries(cells).map(([row, items]) => [row, listed(items)]));
  }

  /** Pauses the queue of asynchronous tasks and adds one. */
  async #waitingTask(): Promise<Plan['task']> {
    const { live } = this.#installation;
    await this.#redis('HSET', `${QUEUE}:meta`, 'paused', '1');
    const { id: template_id } = await live.createTemplate({ html: '<p>{{name}}</p>' });
    await live.post('/v1/generate', { template_id, data: { name: CANARY }, async: true });
    const id = await eventually(
      async () => (await this.#redis('ZRANGE', `${QUEUE}:prioritized`, '0', '0')) || false,
    );
    return { id, read: ['HGET', `${QUEUE}:${id}`, 'data'] };
  }

  /** Sends a command as an admin would. */
  async #redis(...command: string[]): Promise<string> {
    const [pod] = await this.#installation.pods('redis');
    return (await this.#installation.ours('exec', pod!.name, '--', 'redis-cli', ...command)).trim();
  }
}

/** Returns a Node command with the merge process's flags, which JavaScript in it cannot change. */
function scriptOf({ processes }: Survey): string[] {
  const merging = processes.find(({ command }) => command.includes('merge-process.ts'));
  const flags = merging?.command.split('\0').filter((word) => word.startsWith('--')) ?? [];
  if (!flags.includes('--permission')) throw new Error('the merge process has no permission model');
  return [...CHILD, ...flags];
}

const isService = (name: string) => name.endsWith('/main.ts') || name.startsWith('chromium');

/** Names processes by main module, or otherwise by program. */
function namesOf({ survey }: Reached, pids: readonly number[]): string[] {
  const commands = survey.processes.filter(({ pid }) => pids.includes(pid)).map(({ command }) => command);
  // Chromium puts spaces between the arguments.
  const words = commands.map((command) => command.split(/[\0 ]/));
  return words.map((all) => all.find((word) => word.endsWith('/main.ts')) ?? basename(all[0] ?? ''));
}

/** Whether the path is a mounted file rather than a system file. */
function isBeyondImage(path: string): boolean {
  return !/^\/(?:(?:proc|sys)(?:\/.*)?|dev(?:\/pts)?)?$/.test(path);
}

function namesWhere<T>(all: Readonly<Record<string, T>>, holds: (value: T) => boolean): string[] {
  return Object.keys(all).filter((name) => holds(all[name] as T));
}

function contentOf(task: string): string {
  return task.includes(CANARY) ? 'decrypted' : 'encrypted';
}

function listed(items: readonly string[]): string {
  return [...new Set(items)].filter(Boolean).sort().join(', ') || '–';
}

function sha256OfBase64(value: string): string {
  return createHash('sha256').update(Buffer.from(value, 'base64')).digest('hex');
}
