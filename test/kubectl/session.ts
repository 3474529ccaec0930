import type { FollowedKubectl, Kubectl, KubectlInput, KubectlResult } from '../support/kubectl.ts';

/** kubectl in a namespace of its own. */
export class Session {
  readonly namespace: string;
  readonly #kubectl: Kubectl;

  constructor(kubectl: Kubectl, namespace: string) {
    this.#kubectl = kubectl;
    this.namespace = namespace;
  }

  run(args: string, input?: KubectlInput): Promise<KubectlResult> {
    return this.#kubectl.run(this.#words(args), input);
  }

  /** Runs a command line that must succeed; what it printed. Quotes are not understood: `more` are whole arguments. */
  ok(args: string, ...more: string[]): Promise<string> {
    return this.#kubectl.ok([...this.#words(args), ...more]);
  }

  /** As `ok`, with a text for `-f -`. */
  okWith(stdin: string, args: string): Promise<string> {
    return this.#kubectl.ok(this.#words(args), { stdin });
  }

  /** Runs a command line that must fail; what it complained about. */
  refused(args: string, ...more: string[]): Promise<string> {
    return this.#kubectl.refused([...this.#words(args), ...more]);
  }

  refusedWith(stdin: string, args: string): Promise<string> {
    return this.#kubectl.refused(this.#words(args), { stdin });
  }

  /** `kubectl edit` with an editor that runs this sed script on the file. */
  edit(args: string, sed: string): Promise<KubectlResult> {
    return this.run(`edit ${args}`, { env: { KUBE_EDITOR: `sed -i -e ${sed}` } });
  }

  follow(args: string): FollowedKubectl {
    return this.#kubectl.follow(this.#words(args));
  }

  file(name: string, text: string): Promise<string> {
    return this.#kubectl.file(name, text);
  }

  #words(args: string): string[] {
    return [`--namespace=${this.namespace}`, ...args.split(' ')];
  }
}

/** The first line of a table by its columns, and the rows likewise. */
export function columnsOf(table: string): string[][] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
}
