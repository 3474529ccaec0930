import type { Logger } from '@trifold/platform/service/logging.ts';
import { BrowserLaunchError, BrowserProcess, type LaunchOptions } from './browser-process.ts';

/** `auto`: sandbox if the machine allows it; `required`: fail without it; `off`: never. */
export const SANDBOX_POLICIES = ['auto', 'required', 'off'] as const;
export type SandboxPolicy = (typeof SANDBOX_POLICIES)[number];

/** Differences between the kinds of browsers. */
export type BrowserKind = Pick<LaunchOptions, 'drawsFrames'>;

/** Error output of Chromium when it cannot sandbox its processes. */
const NO_SANDBOX = /no usable sandbox|running as root without --no-sandbox|setuid sandbox|namespace sandbox/i;

/** Starts browsers with Chromium's own sandbox if the machine allows it; otherwise logs a warning once. */
export class SandboxedLauncher {
  readonly #options: Omit<LaunchOptions, 'sandbox'>;
  readonly #policy: SandboxPolicy;
  readonly #logger: Logger;
  #impossible: boolean;
  #warned = false;

  constructor(options: Omit<LaunchOptions, 'sandbox'>, policy: SandboxPolicy, logger: Logger) {
    this.#options = options;
    this.#policy = policy;
    this.#logger = logger;
    // Chromium refuses to use its sandbox as root.
    this.#impossible = policy === 'off' || (policy === 'auto' && process.getuid?.() === 0);
  }

  async launch(kind: BrowserKind = {}): Promise<BrowserProcess> {
    if (this.#impossible) return this.#launchWithout(kind);
    try {
      return await BrowserProcess.launch({ ...this.#options, ...kind, sandbox: true });
    } catch (error) {
      const refused = error instanceof BrowserLaunchError && NO_SANDBOX.test(error.output);
      if (!refused || this.#policy === 'required') throw error;
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
    return BrowserProcess.launch({ ...this.#options, ...kind, sandbox: false });
  }
}
