import { Type } from 'typebox';
import { MAX_METADATA_FIELDS, MAX_METADATA_NAME_LENGTH, MAX_METADATA_SIZE } from '../limits.ts';
import { celRule } from './cel.ts';

/** Client metadata, which the service stores and shows but does not interpret. */
export type ClientMetadata = Record<string, string>;

/** Returns the schema of a request's metadata. CLIENT_METADATA_RULE and the gateway check its size. */
export function ClientMetadata(options: object) {
  return Type.Unsafe<ClientMetadata>({
    type: 'object',
    maxProperties: MAX_METADATA_FIELDS,
    additionalProperties: { type: 'string', maxLength: MAX_METADATA_SIZE },
    ...options,
  });
}

/** Returns the `metadata` field as shown in records, responses and events; nothing if a spec has none. */
export function metadataMember({ clientMetadata }: { readonly clientMetadata?: ClientMetadata }): {
  metadata?: ClientMetadata;
} {
  return clientMetadata === undefined ? {} : { metadata: clientMetadata };
}

const MESSAGE = `names in metadata are limited to ${MAX_METADATA_NAME_LENGTH} characters, and names and values to ${MAX_METADATA_SIZE} characters in total`;

/** The metadata limits that a structural schema cannot express. */
export const CLIENT_METADATA_RULE = celRule(withinLimits('self'), MESSAGE, isWithinLimits);

/** The same limits for the metadata of each entry in `items`. */
export const ITEMS_METADATA_RULE = celRule(
  `!has(self.items) || self.items.all(item, !has(item.clientMetadata) || (${withinLimits('item.clientMetadata')}))`,
  MESSAGE,
  ({ items = [] }) =>
    (items as { clientMetadata?: ClientMetadata }[]).every(({ clientMetadata = {} }) =>
      isWithinLimits(clientMetadata),
    ),
);

function withinLimits(metadata: string): string {
  const lengths = `${metadata}.map(name, name.size() + ${metadata}[name].size()).sum()`;
  return `${metadata}.all(name, name.size() <= ${MAX_METADATA_NAME_LENGTH}) && ${lengths} <= ${MAX_METADATA_SIZE}`;
}

function isWithinLimits(metadata: Record<string, unknown>): boolean {
  const entries = Object.entries(metadata).map(([name, value]) => [charactersOf(name), charactersOf(value)]);
  const total = entries.flat().reduce((sum, length) => sum + length, 0);
  return entries.every(([name = 0]) => name <= MAX_METADATA_NAME_LENGTH) && total <= MAX_METADATA_SIZE;
}

function charactersOf(text: unknown): number {
  return Array.from(String(text)).length;
}
