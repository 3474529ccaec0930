import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { contentTypeOf, IMAGE_FORMATS, mediaTypeOf } from '@trifold/crds';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, unavailable } from '../server/errors/api-error.ts';
import { toApiError } from '../server/errors/translate-error.ts';
import { disconnection } from '../server/http/response-end.ts';
import { fileResponse } from '../server/http/route-schemas.ts';
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
import { savedContent, thumbnailRoute, type ThumbnailOptions } from './thumbnail-route.ts';
import { Previewer, type Preview, type PreviewerOptions } from './previewer.ts';

/** Formats that can be returned as a file; the others are returned only as JSON. */
const FILE_FORMATS = ['pdf', ...IMAGE_FORMATS] as const;

const schema = {
  operationId: 'previewTemplate',
  summary: 'Preview a template',
  description: [
    'Renders a template, saved or not. Documents have a PREVIEW watermark; emails do not, just as with test keys. E-invoices are checked but not attached to a PDF; with the format xml, they contain the note TEST. The result is not stored, counted as usage or sent to webhooks. Returns the file (pdf and images), or JSON for `Accept: application/json` and for the other formats.',
    'In JSON, problems in the content are listed in `errors`, and the status is 200. If the only problem is that the data violates the schema or does not produce a valid e-invoice, the response also contains a file. Data that violates the schema is shown without the schema defaults. If you requested the file, the first problem is returned as an error.',
    'The preview is cancelled when the client disconnects, or when the same key sends another preview with the same `Preview-Session`. The time limit is 30 s. In a cluster, the response is 503 if no renderer is free within five seconds, and with `previews.enabled: false`, only `email` and `xml` work.',
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
    'invoice_invalid',
    'not_an_e_invoice_template',
    { code: 'generation_failed', statusCode: 422 },
    'preview_superseded',
    'too_many_previews',
    { code: 'not_supported_yet', statusCode: 501 },
  ],
} as const;

const versionSchema = {
  ...schema,
  operationId: 'previewTemplateVersion',
  summary: 'Preview a template version',
  description:
    'Renders a stored version. Responses are the same as for a template preview. Requires only the `templates:read` scope.',
  params: VersionParams,
  body: VersionPreviewBody,
  errors: ['template_not_found', 'version_not_found', 'not_an_email_template', ...schema.errors],
} as const;

/** POST /v1/templates/preview, POST /v1/templates/:id/versions/:version/preview and GET /v1/templates/:id/thumbnail */
export const previewRoutes: FastifyPluginAsyncTypebox<
  PreviewerOptions &
    Omit<ThumbnailOptions, 'previewer' | 'stopped'> & {
      /** Cancels the previews in flight. */
      readonly stopping: AbortSignal;
    }
> = async (app, options) => {
  const previewer = new Previewer(options);
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
      const saved = savedContent(template, source);
      if (body.format === 'email' && !saved.email) {
        throw new ApiError('not_an_email_template', 'This version of the template has no email parts.');
      }
      return answer(request, reply, { ...body, ...saved });
    },
  );

  await app.register(thumbnailRoute, { ...options, previewer, stopped: stopped.signal });
};

/** Returns the file format of the response; undefined for JSON. */
function fileFormatOf(format: PreviewFormat = 'pdf', accept: string | undefined) {
  const fileFormat = FILE_FORMATS.find((name) => name === format);
  return fileFormat && !prefersJson(accept, fileFormat) ? fileFormat : undefined;
}

/** Returns the preview for content that is not a valid template. */
function rejected(problem: PreviewProblem): Preview {
  const timings = { check_ms: 0, merge_ms: 0, print_ms: 0 };
  return { file: undefined, email: null, problems: [problem], warnings: [], timings };
}

/** Sends a file or JSON. If a file was requested, throws the preview's first problem. */
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
 * Number of bytes encoded per piece: a multiple of 3, so that the Base64 pieces join without padding, and small,
 * because a client's read rate is measured in whole pieces.
 */
const PIECE = 3 * 2 ** 14;

/** Encodes a file in pieces, because encoding a large file in one step would block the thread. */
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

/** Returns the Preview-Session header, or undefined if there is none. Throws ApiError `invalid_request`. */
function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  const session = headers['preview-session'];
  if (session === undefined) return undefined;
  if (typeof session === 'string' && SESSION.test(session)) return session;
  const message = 'The Preview-Session header must have 1 to 255 printable ASCII characters, without spaces.';
  throw new ApiError('invalid_request', message);
}
