import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { Environment } from '@trifold/platform/settings/read-settings.ts';
import { loadRendererConfig } from '@trifold/renderer/config.ts';
import { Renderer } from '@trifold/renderer/renderer.ts';

const logger = createLogger({ level: 'silent', name: 'trifold' });

/** The browser that this environment selects, in a renderer without tasks. */
export class TestBrowser {
  readonly #environment: Environment;
  #started: Promise<Renderer> | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Starts it, prints a page and returns its version. Rejects with ConfigError, SetupError or BrowserLaunchError. */
  async start(): Promise<string> {
    return (await this.#start()).browserVersion ?? 'an unknown browser';
  }

  /** Returns the scripts in everyday use that no font covers. */
  async missingScripts(): Promise<readonly string[]> {
    return (await this.#start()).missingScripts();
  }

  async stop(): Promise<void> {
    const renderer = await this.#started?.catch(() => undefined);
    await renderer?.stop(0);
  }

  async #start(): Promise<Renderer> {
    this.#started ??= startRenderer(this.#environment);
    return this.#started;
  }
}

async function startRenderer(environment: Environment): Promise<Renderer> {
  const renderer = new Renderer({
    queue: new InProcessQueue(),
    storeOf: () => {
      throw new Error('there are no tasks');
    },
    clock: systemClock,
    logger,
    config: { ...loadRendererConfig(environment), browsers: 1 },
  });
  await renderer.start();
  return renderer;
}
