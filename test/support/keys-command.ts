import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommand } from '@trifold/cli/command.ts';
import { Api } from './api.ts';
import { eventually } from './eventually.ts';
import { REPOSITORY } from './service.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string;
  /** Time after which it is killed. @default none */
  readonly timeoutMs?: number;
}

/** Runs a program until it exits. `code` is null if it was killed. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<CommandResult> {
  const { env = process.env, cwd = REPOSITORY, input, timeoutMs: timeout } = options;
  const child = spawn(command, args, { cwd, env, timeout, killSignal: 'SIGKILL' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Runs the repository's `trifold` command. */
export async function trifold(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult> {
  const words = [join(REPOSITORY, 'cli/bin/trifold.ts'), ...args];
  return run(process.execPath, words, env ? { env } : {});
}

export interface KeyWanted {
  readonly account: string;
  /** @default all scopes */
  readonly scopes?: readonly string[];
  readonly type?: 'live' | 'test';
}

/**
 * Creates a key with the operator's command, in this process because starting Node takes longer than most tests.
 * Resolves with a client that uses the key, once the service knows it.
 */
export async function clientWithNewKey(url: string, kubeconfig: string, wanted: KeyWanted): Promise<Api> {
  const { account, scopes, type } = wanted;
  const words = [
    'keys',
    'create',
    '--kubeconfig',
    kubeconfig,
    '--account',
    account,
    '--name',
    'Acceptance tests',
    ...(scopes ? ['--scopes', scopes.join(',')] : []),
    ...(type ? ['--type', type] : []),
  ];
  const api = new Api(url, await outputOf(words));
  await eventually(() => isKnown(api), { intervalMs: 10 });
  return api;
}

/**
 * Returns a new sign-in link for the standalone service with this data directory, as printed by `trifold dashboard`.
 */
export async function newSignInLink(dataDirectory: string): Promise<string> {
  return outputOf(['dashboard', '--data', dataDirectory]);
}

/** Runs a `trifold` command in this process. */
export async function trifoldHere(words: readonly string[]): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCommand(words, {
    write: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  });
  return { code, stdout, stderr };
}

async function outputOf(words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await trifoldHere(words);
  if (code !== 0) throw new Error(`trifold ${words[0]} failed (${code}): ${stderr}`);
  return stdout.trim();
}

/** Whether the service knows the key, regardless of its scopes. */
export async function isKnown(api: Api): Promise<boolean> {
  const response = await api.get('/v1/templates?limit=1');
  return response.status !== 401 || 'missingScopes' in response.json();
}
