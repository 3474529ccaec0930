import {
  INLINE_SOURCE_LIMIT,
  readTemplateSourceKey,
  templateSourceKey,
  type TemplateSpec,
} from '@trifold/crds';
import type { ObjectStore } from '../../object-store/port.ts';
import { TrifoldError } from '../../errors/trifold-error.ts';
import { canonicalJson, sha256Hex } from './canonical-json.ts';
import type { TemplateSource } from './revision.ts';

/** The fields of a Template's spec that contain or reference its source. */
export type SourceMembers = Pick<TemplateSpec, 'html' | 'css' | 'sourceRef'>;

/** A referenced source that is missing from the object store or has changed. */
export class TemplateSourceError extends TrifoldError<'template_source_missing'> {
  constructor(message: string) {
    super('template_source_missing', message);
  }
}

/**
 * Moves a source that is too large for etcd to the object store. Returns the spec fields that refer to it. A source
 * that no template refers to is garbage-collected a few days later.
 */
export async function keepSource(
  store: ObjectStore,
  account: string,
  source: TemplateSource,
  now: Date,
): Promise<SourceMembers> {
  const inline = { html: source.html, ...(source.css !== undefined && { css: source.css }) };
  const body = canonicalJson(inline);
  const size = Buffer.byteLength(body);
  if (size <= INLINE_SOURCE_LIMIT) return inline;
  const sha256 = sha256Hex(body);
  const key = templateSourceKey(account, sha256, now);
  await store.put(key, body, { contentType: 'application/json' });
  return { sourceRef: { key, sha256, size } };
}

/** Reads the source of a template from its spec or the object store. Rejects with TemplateSourceError. */
export async function readSource(
  store: ObjectStore,
  account: string,
  spec: SourceMembers,
): Promise<TemplateSource> {
  if (spec.html !== undefined) return { html: spec.html, ...(spec.css !== undefined && { css: spec.css }) };
  const reference = spec.sourceRef;
  if (!reference) throw new TemplateSourceError('the template has neither html nor sourceRef');
  // A reference must not point into another account.
  const named = readTemplateSourceKey(reference.key);
  if (named?.account !== account || named.sha256 !== reference.sha256) {
    throw new TemplateSourceError(`sourceRef.key does not match sourceRef.sha256 and this account`);
  }
  const body = await store.read(reference.key);
  if (!body)
    throw new TemplateSourceError(`the object store has no source ${reference.sha256} for this account`);
  if (sha256Hex(body) !== reference.sha256)
    throw new TemplateSourceError('the stored source does not match sourceRef');
  return JSON.parse(body.toString()) as TemplateSource;
}
