import { oneOf, plainText, readSettings, wholeNumber, type Environment } from './config.ts';

/** Settings that every process of a cluster needs. */
export interface ServiceConfig {
  /** Address to listen on. TRIFOLD_HOST, default 0.0.0.0. */
  readonly host: string;
  /** TRIFOLD_LOG_LEVEL. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Reads the settings that every process of a cluster needs. Throws ConfigError with all problems together. */
export function loadServiceConfig(environment: Environment): ServiceConfig {
  return readSettings<ServiceConfig>(environment, {
    host: { variable: 'TRIFOLD_HOST', parse: plainText, fallback: '0.0.0.0' },
    logLevel: {
      variable: 'TRIFOLD_LOG_LEVEL',
      parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    },
  });
}

/** Address of the probes of a process that serves nothing else. */
export interface OperationsConfig {
  /** Port of /healthz, /readyz and /metrics; 0 selects a free port. TRIFOLD_OPERATIONS_PORT. */
  readonly operationsPort: number;
}

/** Reads the port of the probes. Throws ConfigError. */
export function loadOperationsConfig(environment: Environment): OperationsConfig {
  return readSettings<OperationsConfig>(environment, {
    operationsPort: { variable: 'TRIFOLD_OPERATIONS_PORT', parse: wholeNumber(0, 65_535) },
  });
}
