import { clearProgress, say, showProgress } from '../progress.ts';
import { attempt } from './problems.ts';

export type Change = 'created' | 'updated' | 'unchanged';

/** Result of a command for one folder. */
interface FolderResult {
  readonly folder: string;
  readonly change?: Change;
  readonly version?: number | undefined;
  /** Unified diff. */
  readonly diff?: string;
}

interface ReportOptions {
  /** Also writes the results to standard output, as one JSON object. */
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** Results and errors of a command for each folder. */
export class TemplateReport {
  readonly #results: FolderResult[] = [];
  readonly #errors: { readonly folder: string; readonly error: string }[] = [];
  readonly #options: ReportOptions;
  readonly #failure: number;

  /** @param failure exit code after an error */
  constructor(options: ReportOptions, failure: number) {
    this.#options = options;
    this.#failure = failure;
  }

  /** Runs a whole command and returns its exit code: what `run` returns or, after an error, the failure code. */
  async run(subject: string, run: () => Promise<number>): Promise<number> {
    let code = await this.#attempt(subject, run);
    if (this.#errors.length > 0) code = this.#failure;
    if (this.#options.json) {
      process.stdout.write(`${JSON.stringify({ templates: this.#results, errors: this.#errors })}\n`);
    }
    return code;
  }

  /** Calls `run` for each item; after an error, continues with the next one. */
  async each<T extends { readonly name: string }>(
    items: readonly T[],
    run: (item: T) => Promise<void>,
  ): Promise<void> {
    for (const [index, item] of items.entries()) {
      showProgress(`${index + 1}/${items.length} ${item.name}`);
      await this.#attempt(item.name, async () => {
        await run(item);
        return 0;
      });
    }
    clearProgress();
  }

  /** Keeps a result for `--json`. */
  add(result: FolderResult): void {
    this.#results.push(result);
  }

  /** Prints what was done with a folder. */
  done(result: FolderResult & { readonly change: Change }): void {
    const { folder, change, version } = result;
    const verb = this.#options.dryRun && change !== 'unchanged' ? `would be ${change}` : change;
    const suffix = version === undefined ? '' : ` (version ${version})`;
    say(`${folder}: ${verb}${suffix}`);
    this.add(result);
  }

  #attempt(folder: string, run: () => Promise<number>): Promise<number> {
    return attempt(folder, this.#failure, run, (error) => {
      this.#errors.push({ folder, error });
      say(error);
    });
  }
}
