import { flag, readSettings, type Environment, type SettingParser } from '../config.ts';
import { parseAddressRange, type AddressRange } from '../outbound/address-guard.ts';

/** Where webhooks may go, for whoever takes their URLs and whoever sends them. */
export interface OutboundConfig {
  /** Ranges that may be reached although they are not public. TRIFOLD_WEBHOOK_ALLOW_ADDRESSES, none. */
  readonly allowAddresses: readonly AddressRange[];
  /** Whether plain HTTP is allowed, for development. TRIFOLD_WEBHOOK_ALLOW_HTTP, false. */
  readonly allowHttp: boolean;
}

/** Reads where webhooks may go. Pure; the answer is frozen. Throws ConfigError with all problems together. */
export function loadOutboundConfig(environment: Environment): OutboundConfig {
  return readSettings<OutboundConfig>(environment, {
    allowAddresses: { variable: 'TRIFOLD_WEBHOOK_ALLOW_ADDRESSES', parse: addressRanges, fallback: [] },
    allowHttp: { variable: 'TRIFOLD_WEBHOOK_ALLOW_HTTP', parse: flag, fallback: false },
  });
}

const addressRanges: SettingParser<readonly AddressRange[]> = (text) =>
  text.split(',').map(parseAddressRange);
