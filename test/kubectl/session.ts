import type { CommandResult } from '../support/keys-command.ts';
import type { FollowedKubectl, Kubectl, KubectlInput } from '../support/kubernetes/kubectl.ts';

/** Runs kubectl in a separate namespace. */
export class Session {
  readonly namespace: string;
  readonly #kubectl: Kubectl;

  constructor(kubectl: Kubectl, namespace: string) {
    this.#kubectl = kubectl;
    this.namespace = namespace;
  }

  run(args: string, input?: KubectlInput): Promise<CommandResult> {
    return this.#kubectl.run(this.#words(args), input);
  }

  /** Runs a command that must succeed and returns its output. Does not parse quotes; `more` are whole arguments. */
  ok(args: string, ...more: string[]): Promise<string> {
    return this.#kubectl.ok([...this.#words(args), ...more]);
  }

  /** Like `ok`, with stdin for `-f -`. */
  okWith(stdin: string, args: string): Promise<string> {
    return this.#kubectl.ok(this.#words(args), { stdin });
  }

  /** Runs a command that must fail and returns its error output. */
  rejected(args: string, ...more: string[]): Promise<string> {
    return this.#kubectl.rejected([...this.#words(args), ...more]);
  }

  /** Runs `kubectl edit` with this sed script as the editor. */
  edit(args: string, sed: string): Promise<CommandResult> {
    return this.run(`edit ${args}`, { env: { KUBE_EDITOR: `sed -i -e ${sed}` } });
  }

  follow(args: string): FollowedKubectl {
    return this.#kubectl.follow(this.#words(args));
  }

  #words(args: string): string[] {
    return [`--namespace=${this.namespace}`, ...args.split(' ')];
  }
}

/** Splits the header and the rows of a table into columns. */
export function columnsOf(table: string): string[][] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
}
