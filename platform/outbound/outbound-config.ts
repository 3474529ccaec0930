import { readSettings, type Environment } from '../settings/read-settings.ts';

/** Allowed webhook addresses, for services that accept webhook URLs and those that send webhooks. */
export type OutboundConfig = ReturnType<typeof loadOutboundConfig>;

/** Pure; the result is frozen. Throws ConfigError with all problems. */
export function loadOutboundConfig(environment: Environment) {
  return readSettings(environment, {
    allowAddresses: 'TRIFOLD_WEBHOOK_ALLOW_ADDRESSES',
    denyAddresses: 'TRIFOLD_DENY_ADDRESSES',
    allowHttp: 'TRIFOLD_WEBHOOK_ALLOW_HTTP',
  });
}
