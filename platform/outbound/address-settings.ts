import type { Setting, SettingParser } from '../service/config.ts';
import { parseAddressRange, type AddressRange } from './address-guard.ts';

/** Address ranges, separated by commas. */
export const addressRanges: SettingParser<readonly AddressRange[]> = (text) =>
  text.split(',').map(parseAddressRange);

/** Ranges that neither webhooks nor the allowed hosts of documents may use, even if something else allows them. */
export const DENY_ADDRESSES: Setting<readonly AddressRange[]> = {
  variable: 'TRIFOLD_DENY_ADDRESSES',
  parse: addressRanges,
  fallback: [],
};
