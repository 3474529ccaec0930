import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.ts';
import { run, type CommandResult } from '../keys-command.ts';
import { OwnedProcess } from '../processes/owned-process.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

/** Minimum kubectl version: the first whose `wait` accepts a JSON path without a value. */
const OLDEST_MINOR = 31;
const RUN_DEADLINE_MS = 60_000;

/** Returns the kubectl for tests: the one in TRIFOLD_TEST_KUBECTL, or else one on PATH that is new enough. */
export async function findKubectl(env = process.env): Promise<string | undefined> {
  const named = env['TRIFOLD_TEST_KUBECTL'];
  if (named) return named;
  try {
    const { stdout } = await promisify(execFile)('kubectl', ['version', '--client', '--output=json']);
    const { clientVersion } = JSON.parse(stdout) as { clientVersion: { gitVersion: string } };
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(clientVersion.gitVersion) ?? [];
    return Number(major) === 1 && Number(minor) >= OLDEST_MINOR ? 'kubectl' : undefined;
  } catch {
    return undefined;
  }
}

export interface KubectlInput {
  /** Written to its standard input. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A kubectl with a separate home, cache and kubeconfig. */
export class Kubectl {
  readonly #program: string;
  readonly #home: string;
  readonly #kubeconfig: string;

  private constructor(program: string, home: string, kubeconfig: string) {
    this.#program = program;
    this.#home = home;
    this.#kubeconfig = kubeconfig;
  }

  /** `kubeconfig` is the file's content. */
  static async make(program: string, kubeconfig: string): Promise<Kubectl> {
    const home = await temporaryDirectory();
    const file = join(home, 'kubeconfig');
    await writeFile(file, kubeconfig, { mode: 0o600 });
    return new Kubectl(program, home, file);
  }

  /** Runs until kubectl exits, with any exit code. */
  run(args: readonly string[], input: KubectlInput = {}): Promise<CommandResult> {
    const { stdin, env } = input;
    const options = { env: this.#env(env), timeoutMs: RUN_DEADLINE_MS };
    return run(this.#program, args, { ...options, ...(stdin !== undefined && { input: stdin }) });
  }

  /** Runs and returns stdout; an error contains stderr. */
  async ok(args: readonly string[], input: KubectlInput = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Runs, expects a failure and returns stderr. */
  async rejected(args: readonly string[], input: KubectlInput = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    if (!code) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stderr;
  }

  /** Runs until stopped and streams its output. */
  follow(args: readonly string[]): FollowedKubectl {
    return new FollowedKubectl('kubectl', this.#program, args, { env: this.#env() });
  }

  /** Writes a file for kubectl and returns its path. */
  async file(name: string, text: string, mode = 0o600): Promise<string> {
    const path = join(this.#home, name);
    await writeFile(path, text, { mode });
    return path;
  }

  async remove(): Promise<void> {
    await removeDirectory(this.#home);
  }

  #env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const path = process.env['PATH'] ?? '';
    const cache = join(this.#home, 'cache');
    const own = { HOME: this.#home, TMPDIR: this.#home, KUBECACHEDIR: cache, KUBECONFIG: this.#kubeconfig };
    return { PATH: path, ...own, ...more };
  }
}

/** A kubectl that is still running. */
export class FollowedKubectl extends OwnedProcess {
  async prints(pattern: RegExp): Promise<void> {
    await eventually(() => pattern.test(this.stdout));
  }
}
