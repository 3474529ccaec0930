import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  isTemplateSamplesKey,
  ObjectRef,
  SAMPLES_ANNOTATION,
  SAMPLES_REF_ANNOTATION,
  templateSamplesKey,
  type Template,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { RawJson, type RequestData } from '@trifold/platform/request-body/raw-json.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { Static } from 'typebox';
import { Check } from 'typebox/value';
import { annotatedSamples, NO_SAMPLES, samplesJson, type SampleList, type SamplesJson } from './samples.ts';

/** A template write refers to its samples within seconds, or never. */
const UNUSED_AFTER_MS = 60 * 60 * 1000;

/** The samples of one request; their key does not change when the template write is repeated. */
export interface NewSamples extends SamplesJson {
  readonly id: string;
}

/** Checks samples and writes them as JSON. Throws ApiError for samples that cannot be stored. */
export function newSamples(samples: SampleList): NewSamples {
  return { ...samplesJson(samples), id: randomUUID() };
}

/** The sample data of templates in the object store, next to their versions. Rejects with ObjectStoreError. */
export class SampleStore {
  readonly #store: ObjectStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: ObjectStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Stores samples. Returns the template's annotations, with a reference to the samples, for the caller to write. */
  async attach({ metadata }: Template, { id, body, first }: NewSamples): Promise<Record<string, string>> {
    const { namespace = 'default', uid } = metadata;
    const {
      [SAMPLES_ANNOTATION]: _inline,
      [SAMPLES_REF_ANNOTATION]: _before,
      ...others
    } = metadata.annotations ?? {};
    if (!first) return others;
    const key = templateSamplesKey(namespace, uid, id);
    await this.#store.put(key, body, {
      contentType: 'application/json',
      metadata: { first: first.join('-') },
      ifAbsent: true,
    });
    const reference = { key, sha256: sha256Hex(body), size: body.length };
    return { ...others, [SAMPLES_REF_ANNOTATION]: JSON.stringify(reference) };
  }

  /** Deletes the samples that a write has replaced, and leftovers from earlier failures. */
  async collect(before: Template, after: Template): Promise<void> {
    const { namespace = 'default', uid } = after.metadata;
    const [former, current] = [referenceOf(before)?.key, referenceOf(after)?.key];
    const oldest = this.#clock.now().getTime() - UNUSED_AFTER_MS;
    const { objects } = await this.#store.list(templateSamplesKey(namespace, uid, ''));
    for (const { key, lastModified } of objects) {
      const isUnused = key === former || lastModified.getTime() < oldest;
      if (isUnused && key !== current) await this.#store.delete(key);
    }
  }

  /** Returns the samples as `{"samples":[…]}`; undefined if the template refers to an object that does not exist. */
  async read(template: Template): Promise<Buffer | undefined> {
    const annotated = annotatedSamples(template);
    if (annotated) return Buffer.from(JSON.stringify({ samples: annotated }));
    const reference = referenceOf(template);
    return reference ? this.#store.read(reference.key) : NO_SAMPLES;
  }

  /** Returns the data of the first sample, or an empty object. Does not parse stored samples. */
  async readFirst(template: Template): Promise<RequestData> {
    const [annotated] = annotatedSamples(template) ?? [];
    const reference = referenceOf(template);
    const stored = annotated || !reference ? undefined : await this.#store.get(reference.key);
    if (!stored) return new RawJson(Buffer.from(JSON.stringify(annotated?.data ?? {})));
    const [start, end] = (stored.info.metadata['first'] ?? '').split('-').map(Number);
    return new RawJson((await buffer(stored.body)).subarray(start, end));
  }
}

/** Returns a digest of the template's samples. */
export function samplesDigest(template: Template): string {
  const annotated = template.metadata.annotations?.[SAMPLES_ANNOTATION];
  return annotated === undefined ? (referenceOf(template)?.sha256 ?? sha256Hex('')) : sha256Hex(annotated);
}

/** Undefined for an invalid reference, such as one to another account: clients of the API server can write anything. */
function referenceOf({ metadata }: Template): Static<typeof ObjectRef> | undefined {
  const { namespace = 'default', uid, annotations } = metadata;
  try {
    const reference: unknown = JSON.parse(annotations?.[SAMPLES_REF_ANNOTATION] ?? 'null');
    if (!Check(ObjectRef, reference)) return undefined;
    return isTemplateSamplesKey(namespace, uid, reference.key) ? reference : undefined;
  } catch {
    return undefined;
  }
}
