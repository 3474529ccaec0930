import { readSettings, type Environment } from '../settings/read-settings.ts';

/** Reads the settings that every process of a cluster needs. Throws ConfigError with all problems. */
export function loadServiceConfig(environment: Environment) {
  const { host, logLevel } = readSettings(environment, {
    host: 'TRIFOLD_HOST',
    logLevel: 'TRIFOLD_LOG_LEVEL',
  });
  return Object.freeze({ host: host ?? '::', logLevel });
}

/** Reads the probe port of a process that serves nothing else. Throws ConfigError. */
export function loadOperationsConfig(environment: Environment) {
  return readSettings(environment, { operationsPort: 'TRIFOLD_OPERATIONS_PORT' });
}
