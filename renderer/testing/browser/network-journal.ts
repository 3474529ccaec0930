import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '../../browser/process/browser.ts';
import type { BrowserKind } from '../../browser/process/browser-flags.ts';
import { launchTestBrowser, testBinary } from './test-browser.ts';

/**
 * Events in Chromium's network log (chrome://net-export) that reach the network: a name lookup, a new connection, sent
 * bytes. A decision to skip the lookup is not among them.
 */
const REACHING =
  /^(?:HOST_RESOLVER_MANAGER_JOB|HOST_RESOLVER_SYSTEM_TASK|DNS_TRANSACTION|TCP_CONNECT_ATTEMPT|UDP_BYTES_SENT|SOCKET_BYTES_SENT)/;

interface NetLog {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly { readonly type: number; readonly params?: unknown }[];
}

/** One of the service's browsers, which logs all its network activity. */
export interface WatchedBrowser {
  readonly browser: Browser;
  /** Stops the browser; returns every name that it looked up and every connection that it started. */
  stop(): Promise<string[]>;
}

export interface WatchOptions extends BrowserKind {
  /** Prefix of one of our flags to leave out. */
  readonly without?: string;
}

export async function launchWatchedBrowser({ without = 'none', ...kind }: WatchOptions = {}) {
  const real = await testBinary();
  const folder = mkdtempSync(join(tmpdir(), 'trifold-journal-'));
  const journal = join(folder, 'journal.json');
  const executable = join(folder, 'browser');
  writeFileSync(
    executable,
    `#!/bin/bash
for flag; do case "$flag" in ${without}*) ;; *) flags+=("$flag") ;; esac; done
exec '${real.executable}' "\${flags[@]}" '--log-net-log=${journal}'
`,
    { mode: 0o755 },
  );
  const browser = await launchTestBrowser({ ...kind, binary: { ...real, executable } });
  const watched: WatchedBrowser = {
    browser,
    async stop() {
      // A killed browser would leave an incomplete log.
      await browser.connection.send('Browser.close').catch(() => undefined);
      await browser.exited;
      const { constants, events } = JSON.parse(readFileSync(journal, 'utf8')) as NetLog;
      rmSync(folder, { recursive: true });
      const names = new Map(Object.entries(constants.logEventTypes).map(([name, type]) => [type, name]));
      return events
        .map(({ type, params }) => `${names.get(type) ?? type} ${JSON.stringify(params)}`)
        .filter((line) => REACHING.test(line));
    },
  };
  return watched;
}
