import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { run, type CommandResult } from '../support/keys-command.ts';
import { findProgram } from '../support/processes/find-program.ts';

export const CHART = fileURLToPath(new URL('../../charts/trifold/', import.meta.url));
const RUN_DEADLINE_MS = 120_000;

/** Required values without a default. Other values override these. */
export const NEEDED: ChartValues = { image: { registry: 'registry.example.com' } };

/** A Kubernetes object, with the fields that the tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- every kind has its own shape
  readonly [member: string]: any;
}

export type ChartValues = Readonly<Record<string, unknown>>;

/** Returns the contents of this repository's files, except tests. Rejects if there are none. */
export async function sources(pattern: string): Promise<string[]> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const texts: string[] = [];
  for await (const file of glob(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/*.test.ts'] })) {
    texts.push(await readFile(join(root, file), 'utf8'));
  }
  if (texts.length === 0) throw new Error(`no file matches ${pattern}`);
  return texts;
}

/** Returns the helm to test with: the value of TRIFOLD_TEST_HELM, else the one on PATH. */
export async function findHelm(env = process.env): Promise<string | undefined> {
  return findProgram('TRIFOLD_TEST_HELM', 'helm', env);
}

/** Runs helm with a separate home directory, isolated from the machine's configuration. */
export class Helm {
  readonly #program: string;
  readonly #home = mkdtempSync(join(tmpdir(), 'trifold-helm-'));
  readonly #kubeconfig: string;
  readonly #deadlineMs: number;
  /** Arguments that set NEEDED; they must precede arguments with other values. */
  readonly needed: readonly string[];

  /** Without a kubeconfig, helm has no cluster. `deadlineMs` is the deadline for a run. */
  constructor(program: string, kubeconfig = '/dev/null', deadlineMs = RUN_DEADLINE_MS) {
    this.#program = program;
    this.#kubeconfig = kubeconfig;
    this.#deadlineMs = deadlineMs;
    const file = join(this.#home, 'needed.json');
    writeFileSync(file, JSON.stringify(NEEDED));
    this.needed = ['--values', file];
  }

  /** Runs helm. Does not reject if helm fails. */
  run(args: readonly string[], stdin = ''): Promise<CommandResult> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#home,
      XDG_CACHE_HOME: this.#home,
      XDG_CONFIG_HOME: this.#home,
      XDG_DATA_HOME: this.#home,
      KUBECONFIG: this.#kubeconfig,
    };
    return run(this.#program, args, { env, input: stdin, timeoutMs: this.#deadlineMs });
  }

  /** Runs helm and returns its output; an error includes its stderr. */
  async ok(args: readonly string[], values: ChartValues = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, JSON.stringify(values));
    if (code !== 0) throw new Error(`helm ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Returns the manifests that `helm install` would send, as text. */
  async template(values: ChartValues = {}, options: TemplateOptions = {}): Promise<string> {
    const { release = 'trifold', namespace = 'documents-system' } = options;
    const { chart = CHART, only } = options;
    const given = [...this.needed, '--values', '-', ...(only === undefined ? [] : ['--show-only', only])];
    return this.ok(['template', release, chart, '--namespace', namespace, ...given], values);
  }

  /** Returns the manifests that `helm install` would send, hooks included. */
  async render(values: ChartValues = {}, options: TemplateOptions = {}): Promise<Manifest[]> {
    return manifestsOf(await this.template(values, options));
  }

  /** Returns the error message for invalid values. */
  async renderError(values: ChartValues): Promise<string> {
    const { code, stderr } = await this.run(
      ['template', 'trifold', CHART, ...this.needed, '--values', '-'],
      JSON.stringify(values),
    );
    if (code === 0) throw new Error(`helm accepted these values: ${JSON.stringify(values)}`);
    return stderr;
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export interface TemplateOptions {
  readonly release?: string;
  readonly namespace?: string;
  /** Folder of the chart. @default the project's chart */
  readonly chart?: string;
  /** Path in the chart of the only template to return. */
  readonly only?: string;
}

/** Parses a stream of YAML documents as Kubernetes does; duplicate keys are an error. */
export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text, { version: '1.1', uniqueKeys: true }).flatMap((document) => {
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as Manifest | null;
    return object ? [object] : [];
  });
}

/** Returns the only object with this kind and name. */
export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter((object) => object.kind === kind && object.metadata.name === name);
  if (found.length !== 1) {
    const names = manifests.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
    throw new Error(`${found.length} of ${kind} ${name}; there are: ${names.join(', ')}`);
  }
  return found[0]!;
}

export interface PodTemplate {
  /** `Deployment/trifold-gateway` */
  readonly owner: string;
  readonly metadata: Manifest['metadata'];
  // oxlint-disable-next-line typescript/no-explicit-any -- a PodSpec
  readonly spec: any;
  /** All containers, sidecars first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- containers
  readonly containers: any[];
}

/** Returns the pod templates of the objects. */
export function podTemplates(manifests: readonly Manifest[]): PodTemplate[] {
  return manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'DaemonSet', 'CronJob', 'Pod'].includes(kind))
    .map(({ kind, metadata, spec }) => ({
      owner: `${kind}/${metadata.name}`,
      metadata: spec.template.metadata,
      spec: spec.template.spec,
      containers: [...(spec.template.spec.initContainers ?? []), ...spec.template.spec.containers],
    }));
}
