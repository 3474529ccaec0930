/** `npm start`: runs the standalone service until Ctrl-C or SIGTERM. */
import { UsageError } from '@trifold/cli/usage-error.ts';
import { warnOfUnknownSettings } from '@trifold/platform/settings/read-settings.ts';
import { createLogger, type Logger } from '@trifold/platform/process/logging.ts';
import { loadStandaloneConfig } from './config.ts';
import { Standalone } from './standalone.ts';
import { startFailure } from './start-failure.ts';
import { onStopSignal } from './stop-signals.ts';
import { welcome } from './welcome.ts';

/** Maximum time to stop, even during startup or if a part hangs. */
const MAX_STOP_MS = 9_500;

async function main(): Promise<void> {
  rejectArguments();
  const config = loadStandaloneConfig(process.env);
  const logger = createLogger({ level: config.process.logLevel, name: 'trifold' });
  warnOfUnknownSettings(process.env, logger);
  const stopAsked = askedToStop(logger);
  const service = await Standalone.start(config, logger);
  process.stdout.write(welcome(service));
  await stopAsked;
  await service.stop();
  logger.info('stopped');
}

/** For `npm start`: the command `trifold start` imports this module and checks its own arguments. */
function rejectArguments(): void {
  const [first] = import.meta.main ? process.argv.slice(2) : [];
  if (first !== undefined)
    throw new UsageError(
      `unknown argument "${first}": the settings are environment variables (docs/configuration.md)`,
    );
}

/** Resolves on the first SIGINT or SIGTERM. */
function askedToStop(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    onStopSignal((signal) => {
      logger.info({ signal }, 'stopping; a second signal exits immediately');
      setTimeout(() => {
        logger.error('stopping took too long; unfinished jobs continue after the next start');
        process.exit(1);
      }, MAX_STOP_MS).unref();
      resolve();
    });
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`trifold: ${startFailure(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
