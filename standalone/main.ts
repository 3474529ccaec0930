/** `npm start`: the standalone service until Ctrl-C or SIGTERM. */
import { ConfigError } from '@trifold/platform/config.ts';
import { createLogger } from '@trifold/platform/logging.ts';
import { loadStandaloneConfig } from './config.ts';
import { DataDirectoryError } from './data-directory.ts';
import { Standalone } from './standalone.ts';
import { welcome } from './welcome.ts';

/** The stop itself ends within this time; a part that hangs must not keep the process. */
const LONGEST_STOP_MS = 9_500;

async function main(): Promise<void> {
  const config = loadStandaloneConfig(process.env);
  const logger = createLogger({ level: config.process.logLevel, name: 'trifold' });
  const stopAsked = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const service = await Standalone.start(config, logger);
  process.stdout.write(welcome(service));
  const signal = await stopAsked;
  logger.info({ signal }, 'stopping');
  const tooLong = setTimeout(() => {
    logger.error('stopping took too long; unfinished jobs go on after the next start');
    process.exit(1);
  }, LONGEST_STOP_MS);
  await service.stop();
  clearTimeout(tooLong);
  logger.info('stopped');
}

try {
  await main();
} catch (error) {
  const expected =
    error instanceof ConfigError || error instanceof DataDirectoryError || isAddressError(error);
  process.stderr.write(
    `trifold: ${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exitCode = 1;
}

function isAddressError(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '');
}
