import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  contentTypeOf,
  IMAGE_FORMATS,
  mediaTypeOf,
  PUBLISHED_ANNOTATION,
  templateThumbnailKey,
  type Template,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ApiError, unavailable } from '../server/errors/api-error.ts';
import { toApiError } from '../server/errors/translate-error.ts';
import { disconnection } from '../server/http/response-end.ts';
import { fileResponse, IdParams } from '../server/http/route-schemas.ts';
import type { StorageQuota } from '../server/quota/storage-quota.ts';
import { SampleStore, samplesDigest } from '../templates/sample-store.ts';
import { viewOf } from '../templates/template-mapping.ts';
import type { TemplateRepository } from '../templates/template-repository.ts';
import { VersionParams } from '../templates/version-routes.ts';
import { prefersJson } from '../work/documents/accept-header.ts';
import {
  EXAMPLE_PREVIEW,
  PreviewBody,
  PreviewSession,
  PreviewView,
  VersionPreviewBody,
  type PreviewFormat,
} from './preview-body.ts';
import { problemOf, type PreviewProblem } from './preview-checks.ts';
import { Previewer, type Preview, type PreviewerOptions } from './previewer.ts';

/** Formats that are answered as a file; the others only as JSON. */
const FILE_FORMATS = ['pdf', ...IMAGE_FORMATS] as const;

const schema = {
  operationId: 'previewTemplate',
  summary: 'Preview a template',
  description: [
    'Renders a template, saved or not. Documents have the watermark PREVIEW; emails have none, like those of test keys. Nothing is stored, counted or sent to webhooks. Returns the file (PDF and images), or JSON for `Accept: application/json` and for the other formats.',
    'The JSON response lists problems in the content in `errors`, and its status is 200. If only the data violates the schema, the response also contains a file, which shows the data without the schema defaults. A request for the file returns the first problem as an error.',
    'The preview is cancelled when the client disconnects, or when the same key sends another preview with the same `Preview-Session`. It has 30 s. In a cluster with `previews.enabled: false`, only `email` works. If no renderer is free within five seconds, the response is 503.',
  ].join('\n\n'),
  tags: ['Templates'],
  body: PreviewBody,
  requestHeaders: PreviewSession,
  response: {
    200: fileResponse({
      description: 'The file, or the preview as JSON.',
      json: PreviewView,
      mediaTypes: FILE_FORMATS.map(mediaTypeOf),
    }),
  },
  responseHeaders: { 200: ['X-Trifold-Warnings'] },
  responseExamples: { 200: EXAMPLE_PREVIEW },
  errors: [
    'template_too_large',
    'template_does_not_compile',
    'invalid_schema',
    'options_invalid',
    'data_invalid',
    { code: 'generation_failed', statusCode: 422 },
    'preview_superseded',
    'too_many_previews',
    { code: 'not_supported_yet', statusCode: 501 },
  ],
} as const;

const versionSchema = {
  ...schema,
  operationId: 'previewTemplateVersion',
  summary: 'Preview a version of a template',
  description:
    'Renders a stored version. The responses are the same as for a template preview. Requires only the scope `templates:read`.',
  params: VersionParams,
  body: VersionPreviewBody,
  errors: ['template_not_found', 'version_not_found', 'not_an_email_template', ...schema.errors],
} as const;

const thumbnailSchema = {
  operationId: 'readTemplateThumbnail',
  summary: 'Read an image of the first page of a template',
  description:
    'The first page of the live version (the published version, or else the current one) with the first sample and the watermark PREVIEW. Rendered like a preview when it is first read, then stored with the version unless the account has used up its storage quota. The status is 204 if the template cannot be rendered with this sample, or while another preview of the account is in flight.',
  tags: ['Templates'],
  params: IdParams,
  response: {
    200: fileResponse({ description: 'The image.', mediaTypes: ['image/webp'] }),
    204: Type.Null({ description: 'No image is available.' }),
    304: Type.Null({ description: 'The image that If-None-Match names is current.' }),
  },
  responseHeaders: { 200: ['ETag'], 204: ['ETag'], 304: ['ETag'] },
  errors: ['template_not_found', 'version_not_found', 'too_many_previews'],
} as const;

const THUMBNAIL_TYPE = 'image/webp';
/** Pictures of usual pages have 20 to 60 KB. */
const MAX_STORED_BYTES = BOUNDS.thumbnails.limit.value * 1024;
/** The dashboard shows the picture much smaller. */
const THUMBNAIL_OPTIONS = { full_page: false, device_scale: 1, quality: 60 } as const;

/** POST /v1/templates/preview, POST /v1/templates/:id/versions/:version/preview and GET /v1/templates/:id/thumbnail */
export const previewRoutes: FastifyPluginAsyncTypebox<
  PreviewerOptions & {
    readonly templates: Pick<TemplateRepository, 'get' | 'readVersion'>;
    readonly store: ObjectStore;
    readonly storageQuota: Pick<StorageQuota, 'isFull'>;
    /** Cancels the previews in flight. */
    readonly stopping: AbortSignal;
  }
> = async (app, options) => {
  const previewer = new Previewer(options);
  const samples = new SampleStore(options.store, options.clock);
  const stopped = new AbortController();
  options.stopping.addEventListener('abort', () => stopped.abort(unavailable('The service is stopping.')), {
    once: true,
  });

  const answer = async (
    { id, caller, headers }: Pick<FastifyRequest, 'id' | 'caller' | 'headers'>,
    reply: FastifyReply,
    body: PreviewBody,
  ): Promise<FastifyReply> => {
    const session = sessionOf(headers);
    const signal = AbortSignal.any([disconnection(reply), stopped.signal]);
    const preview = await previewer.preview({ id, caller, body, session, signal, reply });
    return send(reply, preview, fileFormatOf(body.format, headers.accept));
  };

  app.post('/v1/templates/preview', { schema, attachValidation: true }, async (request, reply) => {
    const { validationError, headers, body } = request;
    if (!validationError) return answer(request, reply, body);
    const problem = problemOf(toApiError(validationError, options.config));
    const isContent = problem.entries.every(({ part }) => part !== null);
    if (!isContent) throw problem.error;
    return send(reply, rejected(problem), fileFormatOf(body.format, headers.accept));
  });

  app.post(
    '/v1/templates/:id/versions/:version/preview',
    { schema: versionSchema },
    async (request, reply) => {
      const { caller, params, body } = request;
      const { template, source } = await options.templates.readVersion(
        caller.account,
        params.id,
        params.version,
      );
      const saved = contentOf(template, source);
      if (body.format === 'email' && !saved.email) {
        throw new ApiError('not_an_email_template', 'This version of the template has no email parts.');
      }
      return answer(request, reply, { ...body, ...saved });
    },
  );

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
    if (!options.renderer || previewer.isBusy(account)) return reply.code(204).send(null);
    const { template, source } = await options.templates.readVersion(account, params.id, version);
    const body = {
      ...contentOf(template, source),
      // RawJson, as the data of a large body.
      data: await samples.readFirst(current),
      format: 'webp',
      options: THUMBNAIL_OPTIONS,
    } as const;
    const signal = AbortSignal.any([disconnection(reply), stopped.signal]);
    const preview = await previewer.preview({ id, caller, body, session: undefined, signal, reply });
    const { file } = preview;
    // The editor says why.
    if (!file) return describe(204).send(null);
    if (file.length <= MAX_STORED_BYTES && !options.storageQuota.isFull(account)) {
      await options.store.put(key, file, { contentType: THUMBNAIL_TYPE, metadata: { sample } });
    }
    return describe(200).type(THUMBNAIL_TYPE).send(file);
  });
};

/** Returns what the thumbnail of a template shows, and where it is stored. */
function thumbnailOf(account: string, current: Template) {
  const { uid, generation, annotations } = current.metadata;
  const version = annotations?.[PUBLISHED_ANNOTATION] ?? String(generation);
  const sample = samplesDigest(current);
  const key = templateThumbnailKey(account, uid, Number(version));
  return { version, sample, key, etag: `"${Number(version)}-${sample}"` };
}

/** Returns what a preview needs of a saved template. */
function contentOf(template: Template, source: TemplateSource) {
  const { html, css, default_options, email, schema: saved } = viewOf(template, source);
  return { html, css, default_options, email, schema: saved as NonNullable<PreviewBody['schema']> | null };
}

/** Returns the format of a response that is the file itself; undefined for JSON. */
function fileFormatOf(format: PreviewFormat = 'pdf', accept: string | undefined) {
  const fileFormat = FILE_FORMATS.find((name) => name === format);
  return fileFormat && !prefersJson(accept, fileFormat) ? fileFormat : undefined;
}

/** Returns the preview of content that does not have the form of a template. */
function rejected(problem: PreviewProblem): Preview {
  const timings = { check_ms: 0, merge_ms: 0, print_ms: 0 };
  return { file: undefined, email: null, problems: [problem], warnings: [], timings };
}

/** Sends a file or JSON. Throws the first problem of a preview for which a file is requested. */
function send(
  reply: FastifyReply,
  { file, problems, ...view }: Preview,
  fileFormat: (typeof FILE_FORMATS)[number] | undefined,
): FastifyReply {
  const [problem] = problems;
  if (fileFormat && problem) throw problem.error;
  reply.headers({ 'cache-control': 'no-store', 'x-trifold-warnings': String(view.warnings.length) });
  if (fileFormat) {
    return reply
      .headers({ 'content-type': contentTypeOf(fileFormat), 'x-content-type-options': 'nosniff' })
      .send(file);
  }
  const errors = problems.flatMap(({ entries }) => entries);
  const warnings = [...view.warnings];
  reply.heldBytes = file?.length ?? 0;
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(jsonPieces(JSON.stringify({ ...view, warnings, errors }), file)));
}

/**
 * Bytes that are encoded together: a multiple of 3, so that the pieces of Base64 join without padding, and few, because
 * the rate at which a client reads is measured in whole pieces.
 */
const PIECE = 3 * 2 ** 14;

/** Encodes a file in pieces, because a large one would block the thread. */
async function* jsonPieces(members: string, file: Buffer | undefined): AsyncGenerator<string> {
  if (!file) {
    yield `{"file":null,${members.slice(1)}`;
    return;
  }
  yield '{"file":"';
  for (let start = 0; start < file.length; start += PIECE) {
    yield file.toString('base64', start, start + PIECE);
  }
  yield `",${members.slice(1)}`;
}

const SESSION = /^[\x21-\x7e]{1,255}$/;

/** Returns the header Preview-Session; undefined without one. Throws ApiError `invalid_request`. */
function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  const session = headers['preview-session'];
  if (session === undefined) return undefined;
  if (typeof session === 'string' && SESSION.test(session)) return session;
  const message =
    'The header Preview-Session must have 1 to 255 characters of printable ASCII without spaces.';
  throw new ApiError('invalid_request', message);
}
