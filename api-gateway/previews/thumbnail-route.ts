import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { templateThumbnailKey, type Template } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { liveVersion } from '@trifold/platform/records/templates/template-history.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { Type } from 'typebox';
import { disconnection } from '../server/http/response-end.ts';
import { fileResponse, IdParams } from '../server/http/route-schemas.ts';
import type { StorageQuota } from '../server/quota/storage-quota.ts';
import { SampleStore, samplesDigest } from '../templates/sample-store.ts';
import { viewOf } from '../templates/template-mapping.ts';
import type { TemplateRepository } from '../templates/template-repository.ts';
import type { PreviewBody } from './preview-body.ts';
import type { Previewer, PreviewerOptions } from './previewer.ts';

const thumbnailSchema = {
  operationId: 'readTemplateThumbnail',
  summary: 'Read a template thumbnail',
  description:
    'Returns the first page of the published version, rendered with the first sample and a PREVIEW watermark. If no version is published, the saved version is used. The image is rendered like a preview when it is first read. It is then stored with the version, unless it is larger than 256 KiB or the account has used up its storage quota. The response is 204 if the template cannot be rendered with this sample, if another preview of the account is in progress, or if the service has no renderers for previews.',
  tags: ['Templates'],
  params: IdParams,
  response: {
    200: fileResponse({ description: 'The image.', mediaTypes: ['image/webp'] }),
    204: Type.Null({ description: 'No image is available.' }),
    304: Type.Null({ description: 'The image identified by If-None-Match is current.' }),
  },
  responseHeaders: { 200: ['ETag'], 204: ['ETag'], 304: ['ETag'] },
  errors: ['template_not_found', 'version_not_found', 'too_many_previews'],
} as const;

const THUMBNAIL_TYPE = 'image/webp';
/** Images of typical pages take up 20 to 60 KB. */
const MAX_STORED_BYTES = BOUNDS.thumbnails.limit.value * 1024;
/** The dashboard shows the image at a much smaller size. */
const THUMBNAIL_OPTIONS = { full_page: false, device_scale: 1, quality: 60 } as const;

export interface ThumbnailOptions extends Pick<PreviewerOptions, 'renderer' | 'clock'> {
  readonly previewer: Previewer;
  readonly templates: Pick<TemplateRepository, 'get' | 'readVersion'>;
  readonly store: ObjectStore;
  readonly storageQuota: Pick<StorageQuota, 'isFull'>;
  /** Cancels the previews in flight. */
  readonly stopped: AbortSignal;
}

/** GET /v1/templates/:id/thumbnail */
export const thumbnailRoute: FastifyPluginAsyncTypebox<ThumbnailOptions> = async (app, options) => {
  const samples = new SampleStore(options.store, options.clock);

  app.get('/v1/templates/:id/thumbnail', { schema: thumbnailSchema }, async (request, reply) => {
    const { id, caller, params, headers } = request;
    const { account } = caller;
    const current = await options.templates.get(account, params.id);
    const { version, sample, key, etag } = thumbnailOf(account, current);
    const describe = (status: 200 | 204 | 304) =>
      reply
        .code(status)
        .headers({ etag, 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' });
    if (headers['if-none-match'] === etag) return describe(304).send(null);
    const stored = await options.store.get(key);
    if (stored?.info.metadata['sample'] === sample)
      return describe(200).type(THUMBNAIL_TYPE).send(stored.body);
    stored?.body.destroy();
    // Thumbnails have the lowest priority.
    if (!options.renderer || options.previewer.isBusy(account)) return reply.code(204).send(null);
    const { template, source } = await options.templates.readVersion(account, params.id, version);
    const body = {
      ...savedContent(template, source),
      // RawJson, like the data of a large body.
      data: await samples.readFirst(current),
      format: 'webp',
      options: THUMBNAIL_OPTIONS,
    } as const;
    const signal = AbortSignal.any([disconnection(reply), options.stopped]);
    const preview = await options.previewer.preview({ id, caller, body, session: undefined, signal, reply });
    const { file } = preview;
    // The editor shows the reason.
    if (!file) return describe(204).send(null);
    if (file.length <= MAX_STORED_BYTES && !options.storageQuota.isFull(account)) {
      await options.store.put(key, file, { contentType: THUMBNAIL_TYPE, metadata: { sample } });
    }
    return describe(200).type(THUMBNAIL_TYPE).send(file);
  });
};

/** Returns what a template's thumbnail shows and where it is stored. */
function thumbnailOf(account: string, current: Template) {
  const version = liveVersion(current);
  const sample = samplesDigest(current);
  const key = templateThumbnailKey(account, current.metadata.uid, Number(version));
  return { version, sample, key, etag: `"${Number(version)}-${sample}"` };
}

/** Returns the parts of a saved template that a preview needs. */
export function savedContent(template: Template, source: TemplateSource) {
  const { html, css, default_options, email, e_invoice, schema: saved } = viewOf(template, source);
  return {
    html,
    css,
    default_options,
    email,
    e_invoice,
    schema: saved as NonNullable<PreviewBody['schema']> | null,
  };
}
