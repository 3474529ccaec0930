import { styleText } from 'node:util';
import type { Environment } from '@trifold/platform/settings/read-settings.ts';
import { clearProgress, showProgress } from '../progress.ts';
import { resultOf, type Check, type CheckResult } from './check.ts';
import { CLUSTER_CHECKS } from './cluster-checks.ts';
import { MACHINE_CHECKS } from './machine-checks.ts';
import { STORE_CHECKS } from './store-checks.ts';
import { TestBrowser } from './test-browser.ts';

const CHECKS: readonly Check[] = [...MACHINE_CHECKS, ...STORE_CHECKS, ...CLUSTER_CHECKS];

const COLORS = {
  ok: 'green',
  warning: 'yellow',
  error: 'red',
  skipped: 'gray',
  'not configured': 'gray',
} as const;
const STATUS_WIDTH = 'not configured'.length;
const NAME_WIDTH = Math.max(...CHECKS.map(({ name }) => name.length));

/** `trifold doctor`. Returns the exit code: 1 if a check found an error. */
export async function doctor(
  { json = false }: { readonly json?: boolean },
  environment: Environment = process.env,
): Promise<number> {
  const results: CheckResult[] = [];
  const browser = new TestBrowser(environment);
  try {
    for (const check of CHECKS) {
      showProgress(`checking ${check.name}`);
      const result = await resultOf(check, { environment, browser }, results);
      clearProgress();
      results.push(result);
      if (!json) process.stdout.write(linesOf(result));
    }
  } finally {
    await browser.stop();
  }
  const ok = results.every(({ status }) => status !== 'error');
  if (json) process.stdout.write(`${JSON.stringify({ ok, checks: results })}\n`);
  return ok ? 0 : 1;
}

/** Uses colors only in terminals, and not with NO_COLOR. */
function linesOf({ name, status, detail, remedy }: CheckResult): string {
  const label = styleText(COLORS[status], status.padEnd(STATUS_WIDTH), { stream: process.stdout });
  const line = `${label}  ${name.padEnd(NAME_WIDTH)}  ${detail}\n`;
  return remedy === undefined
    ? line
    : `${line}${' '.repeat(STATUS_WIDTH + NAME_WIDTH + 4)}Remedy: ${remedy}\n`;
}
