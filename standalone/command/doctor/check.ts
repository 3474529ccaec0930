import type { Environment } from '@trifold/platform/settings/read-settings.ts';
import type { TestBrowser } from './test-browser.ts';

/** One check of `trifold doctor`. */
export interface Check {
  readonly name: string;
  /** Name of a check; if it fails, this one is skipped. */
  readonly needs?: string;
  /** What to do if it fails, unless the problem names something more specific. */
  readonly remedy: string;
  /** Resolves with its findings. Rejects with NotConfigured, Warning, or the problem. */
  readonly run: (machine: Machine) => Promise<string>;
}

/** Shared by all checks. */
export interface Machine {
  readonly environment: Environment;
  /** Started by the first check that needs it. */
  readonly browser: TestBrowser;
}

/** The check does not apply: its subject is not in use. */
export class NotConfigured extends Error {}

/** Trifold works, but not as well as it could. */
export class Warning extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string, cause?: unknown) {
    super(message, { cause });
    this.remedy = remedy;
  }
}

export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'error' | 'skipped' | 'not configured';
  readonly detail: string;
  /** For warnings and errors. */
  readonly remedy?: string;
}

/** Runs a check. `earlier`: results of the preceding checks. Never rejects. */
export async function resultOf(
  { name, needs, remedy, run }: Check,
  machine: Machine,
  earlier: readonly CheckResult[],
): Promise<CheckResult> {
  const needed = earlier.find((result) => result.name === needs);
  if (needed?.status === 'error') return { name, status: 'skipped', detail: `because ${needs} failed` };
  try {
    return { name, status: 'ok', detail: await run(machine) };
  } catch (error) {
    const { message: detail } = error as Error;
    if (error instanceof NotConfigured) return { name, status: 'not configured', detail };
    if (error instanceof Warning) return { name, status: 'warning', detail, remedy: error.remedy ?? remedy };
    return { name, status: 'error', detail, remedy };
  }
}
