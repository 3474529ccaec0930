import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';

/**
 * Logger passed to all components; `child` adds fields. Messages are constant; variable parts are fields, and errors
 * are under `err`.
 */
export type Logger = PinoLogger;

export interface LoggerOptions {
  /** `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. */
  readonly level: string;
  /** Name of the service. */
  readonly name: string;
  /** @default standard output */
  readonly destination?: DestinationStream;
}

/** Fields that contain secrets, up to four levels deep. */
const SECRET_MEMBERS = [
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'apiKey',
  'api_key',
  'password',
  'secret',
  'token',
];
const DEPTHS = ['', '*.', '*.*.', '*.*.*.'];

/** API keys (interface, "Authentication") and bearer tokens, anywhere in a string. */
const SECRET_TEXT = /\b(tf_(?:live|test)_)[A-Za-z0-9]{8,}|\b(Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/g;

/**
 * Creates a logger that writes one JSON object per line. Secrets in fields and strings are redacted before they are
 * written.
 */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    name: options.name,
    level: options.level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: DEPTHS.flatMap((depth) => SECRET_MEMBERS.map((member) => path(depth, member))),
      censor: '[redacted]',
    },
    hooks: {
      streamWrite: (line: string) => line.replace(SECRET_TEXT, '$1$2[redacted]'),
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

function path(depth: string, member: string): string {
  if (/^\w+$/.test(member)) return depth + member;
  return `${depth.slice(0, -1)}["${member}"]`;
}
