import { oneOf, plainText, readSettings, wholeNumber, type Environment } from './config.ts';

/** What every process of a cluster needs to know about itself. */
export interface ServiceConfig {
  /** Address to listen on. TRIFOLD_HOST, default 0.0.0.0. */
  readonly host: string;
  /** TRIFOLD_LOG_LEVEL. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Reads what every process of a cluster needs. Throws ConfigError with all problems together. */
export function loadServiceConfig(environment: Environment): ServiceConfig {
  return readSettings<ServiceConfig>(environment, {
    host: { variable: 'TRIFOLD_HOST', parse: plainText, fallback: '0.0.0.0' },
    logLevel: {
      variable: 'TRIFOLD_LOG_LEVEL',
      parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    },
  });
}

/** Where a process that serves nothing else answers its probes. */
export interface OperationsConfig {
  /** Port of /healthz, /readyz and /metrics; 0 takes a free one. TRIFOLD_OPERATIONS_PORT. */
  readonly operationsPort: number;
}

/** Reads where probes are answered. Throws ConfigError. */
export function loadOperationsConfig(environment: Environment): OperationsConfig {
  return readSettings<OperationsConfig>(environment, {
    operationsPort: { variable: 'TRIFOLD_OPERATIONS_PORT', parse: wholeNumber(0, 65_535) },
  });
}
