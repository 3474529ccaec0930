import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { KEY_MODES } from '@trifold/crds';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { Caller } from '../server/auth/caller.ts';
import { disconnection } from '../server/http/response-end.ts';
import { TEMPLATE_ERRORS } from '../templates/template-checks.ts';
import { EmailBody, EmailView, EXAMPLE_EMAIL } from './email-body.ts';
import type { EmailCompiler } from './email-compiler.ts';

const schema = {
  operationId: 'compileEmail',
  summary: 'Compile an email',
  description:
    'Merges data into a saved or inline email template and returns the email. It neither stores nor sends the email.',
  tags: ['Emails'],
  body: EmailBody,
  response: { 200: EmailView },
  responseExamples: { 200: EXAMPLE_EMAIL },
  errors: [
    ...TEMPLATE_ERRORS,
    { code: 'options_invalid', statusCode: 422 },
    'not_an_email_template',
    'merge_failed',
    'merge_too_large',
    'merge_timeout',
  ],
} as const;

/** POST /v1/emails/compile */
export const emailRoutes: FastifyPluginAsyncTypebox<{
  readonly emails: EmailCompiler;
  readonly counts: { note(caller: Caller): void };
  readonly metrics: Metrics;
}> = async (app, { emails, counts, metrics }) => {
  const compiled = metrics.counter({
    name: 'trifold_gateway_emails_compiled_total',
    help: 'Emails compiled, by key mode.',
    labelNames: ['mode'],
  });
  for (const mode of KEY_MODES) compiled.inc({ mode }, 0);

  app.post('/v1/emails/compile', { schema }, async (request, reply) => {
    // Fastify also accepts bytes from a serializer; its types allow only strings.
    reply.type('application/json; charset=utf-8').serializer(sharedJson as (email: EmailView) => never);
    const { caller } = request;
    const email = await emails.compile(caller, request.body, disconnection(reply));
    counts.note(caller);
    compiled.inc({ mode: caller.mode });
    return email;
  });
};

/** Minimum length, in characters, of strings that are encoded once. */
const LONG = 1000;

/**
 * Returns the value as UTF-8 JSON, as `JSON.stringify` writes it. Equal long strings are encoded once: an email
 * response contains its HTML and text four times, and encoding every copy would take four times as long.
 */
export function sharedJson(value: object): Buffer {
  const mark = randomUUID();
  const texts: string[] = [];
  const outline = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'string' || member.length < LONG) return member;
    texts.push(member);
    return mark;
  });
  const encoded = new Map([...new Set(texts)].map((text) => [text, Buffer.from(JSON.stringify(text))]));
  const pieces = outline.split(`"${mark}"`).flatMap((piece, index) => {
    const text = encoded.get(texts[index] ?? '');
    return text ? [Buffer.from(piece), text] : [Buffer.from(piece)];
  });
  return Buffer.concat(pieces);
}
