import type { Logger } from '@trifold/platform/process/logging.ts';
import type { SandboxPolicy } from '../../config.ts';
import type { BrowserKind } from './browser-flags.ts';
import type { BrowserLauncher } from './browser.ts';
import { BrowserLaunchError, BrowserProcess, sweepProfiles } from './browser-process.ts';
import type { BrowserBinary } from './browser-program.ts';
import { findBrowser } from './find-browser.ts';

/** Chromium's error output when it cannot sandbox its processes. */
const NO_SANDBOX = /no usable sandbox|running as root without --no-sandbox|setuid sandbox|namespace sandbox/i;

/**
 * Starts browsers as child processes, with Chromium's own sandbox if the machine allows it; otherwise logs a warning
 * once.
 */
export class SandboxedLauncher implements BrowserLauncher {
  readonly #binary: BrowserBinary;
  readonly #policy: SandboxPolicy;
  readonly #logger: Logger;
  #impossible: boolean;
  #warned = false;

  constructor(binary: BrowserBinary, policy: SandboxPolicy, logger: Logger) {
    this.#binary = binary;
    this.#policy = policy;
    this.#logger = logger;
    // Chromium does not run its sandbox as root.
    this.#impossible = policy === 'off' || (policy === 'auto' && process.getuid?.() === 0);
  }

  async launch(kind: BrowserKind = {}): Promise<BrowserProcess> {
    if (this.#impossible) return this.#launchWithout(kind);
    try {
      return await BrowserProcess.launch({ ...kind, binary: this.#binary, sandbox: true });
    } catch (error) {
      const rejected = error instanceof BrowserLaunchError && NO_SANDBOX.test(error.output);
      if (!rejected || this.#policy === 'required') throw error;
      this.#impossible = true;
      return this.#launchWithout(kind);
    }
  }

  async #launchWithout(kind: BrowserKind): Promise<BrowserProcess> {
    if (!this.#warned && this.#policy !== 'off') {
      this.#warned = true;
      const reason = process.getuid?.() === 0 ? 'running as root' : 'no user namespaces';
      this.#logger.warn({ reason }, 'the browser runs without its sandbox');
    }
    return BrowserProcess.launch({ ...kind, binary: this.#binary, sandbox: false });
  }
}

/**
 * Finds the configured browser or the one on this machine, and returns its launcher. Removes what this user's killed
 * processes left behind. Rejects with SetupError.
 */
export async function localLauncher(
  {
    browser,
    browserSandbox,
  }: { readonly browser: string | undefined; readonly browserSandbox: SandboxPolicy },
  logger: Logger,
): Promise<SandboxedLauncher> {
  void sweepProfiles().catch((error: unknown) => {
    logger.warn({ err: error }, 'failed to remove old browser profiles');
  });
  const binary = await findBrowser({ configured: browser });
  logger.info({ executable: binary.executable, source: binary.source }, 'using this browser');
  return new SandboxedLauncher(binary, browserSandbox, logger);
}
