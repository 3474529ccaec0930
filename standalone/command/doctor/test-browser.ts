import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import type { Environment } from '@trifold/platform/settings/read-settings.ts';
import { RemoteLauncher } from '@trifold/renderer/browser/launcher/remote-launcher.ts';
import { DEFAULT_BROWSER_LIMITS } from '@trifold/renderer/browser/pool/browser-limits.ts';
import { BrowserPool } from '@trifold/renderer/browser/pool/browser-pool.ts';
import { connectBrowser } from '@trifold/renderer/browser/process/browser.ts';
import { localLauncher } from '@trifold/renderer/browser/process/sandbox.ts';
import { loadRendererConfig, type RendererConfig } from '@trifold/renderer/config.ts';
import { findMissingScripts } from '@trifold/renderer/glyphs/font-coverage.ts';

const PRINT_MS = 60_000;

const logger = createLogger({ level: 'silent', name: 'trifold' });

/** The browser that this environment selects, with the service's flags and first page. */
export class TestBrowser {
  readonly #environment: Environment;
  #started: Promise<Started> | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Starts it, prints a page and returns its version. Rejects with ConfigError, SetupError or BrowserLaunchError. */
  async start(): Promise<string> {
    return (await this.#start()).version;
  }

  /** Returns all scripts that no font covers. */
  async missingScripts(): Promise<readonly string[]> {
    const { pool } = await this.#start();
    return pool.withPage('', AbortSignal.timeout(PRINT_MS), findMissingScripts);
  }

  async stop(): Promise<void> {
    const started = await this.#started?.catch(() => undefined);
    await started?.pool.stop();
  }

  async #start(): Promise<Started> {
    this.#started ??= startPool(loadRendererConfig(this.#environment));
    return this.#started;
  }
}

interface Started {
  readonly pool: BrowserPool;
  readonly version: string;
}

async function startPool(config: RendererConfig): Promise<Started> {
  const { browserSocket, maxOutputBytes } = config;
  const launcher =
    browserSocket === undefined ? await localLauncher(config, logger) : new RemoteLauncher(browserSocket);
  let version = '';
  const pool = new BrowserPool({
    launch: async () => {
      const browser = await connectBrowser(await launcher.launch(), maxOutputBytes);
      version = (await browser.connection.send('Browser.getVersion')).product;
      return browser;
    },
    size: 1,
    limits: DEFAULT_BROWSER_LIMITS,
    clock: systemClock,
    logger,
  });
  await pool.start();
  return { pool, version };
}
