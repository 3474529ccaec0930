import { flag, readSettings, type Environment } from '../service/config.ts';
import type { AddressRange } from './address-guard.ts';
import { addressRanges, DENY_ADDRESSES } from './address-settings.ts';

/** Allowed webhook addresses, for services that accept webhook URLs and those that send webhooks. */
export interface OutboundConfig {
  /** Non-public ranges that may be reached. TRIFOLD_WEBHOOK_ALLOW_ADDRESSES. */
  readonly allowAddresses: readonly AddressRange[];
  /** Ranges that may not be reached, whether they are public or allowed. TRIFOLD_DENY_ADDRESSES. */
  readonly denyAddresses: readonly AddressRange[];
  /** Whether plain HTTP is allowed, for development. TRIFOLD_WEBHOOK_ALLOW_HTTP. */
  readonly allowHttp: boolean;
}

/**
 * Reads the settings of allowed webhook addresses. Pure; the result is frozen. Throws ConfigError with all problems
 * together.
 */
export function loadOutboundConfig(environment: Environment): OutboundConfig {
  return readSettings<OutboundConfig>(environment, {
    allowAddresses: { variable: 'TRIFOLD_WEBHOOK_ALLOW_ADDRESSES', parse: addressRanges, fallback: [] },
    denyAddresses: DENY_ADDRESSES,
    allowHttp: { variable: 'TRIFOLD_WEBHOOK_ALLOW_HTTP', parse: flag },
  });
}
