/**
 * `node renderer/browser/launcher/main.ts`: starts a renderer's browsers in a separate container without secrets. As a
 * sidecar in the pod, it stops after the renderer.
 */
import { warnOfUnknownSettings } from '@trifold/platform/settings/read-settings.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { aborted, runService, stopSignal } from '@trifold/platform/process/service-process.ts';
import { loadLauncherProcessConfig } from '../../config.ts';
import { localLauncher } from '../process/sandbox.ts';
import { LauncherServer } from './launcher-server.ts';

/** Milliseconds allowed for killing the browsers. */
const STOP_MS = 5_000;

async function main(): Promise<void> {
  const config = loadLauncherProcessConfig(process.env);
  const logger = createLogger({ level: config.service.logLevel, name: 'trifold-browser-launcher' });
  warnOfUnknownSettings(process.env, logger);
  const stopping = stopSignal(logger, { timeoutMs: STOP_MS });
  const launcher = await localLauncher(config, logger);
  const server = await LauncherServer.listen(config.browserSocket, launcher, logger);
  logger.info('browser launcher ready');
  await aborted(stopping);
  await server.close();
  logger.info('stopped');
}

await runService('trifold-browser-launcher', main);
