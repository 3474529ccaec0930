import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { Caller } from '../server/auth/caller.ts';
import { disconnection } from '../server/http/disconnection.ts';
import { TEMPLATE_ERRORS } from '../templates/template-errors.ts';
import { EmailBody, EmailView } from './email-body.ts';
import type { EmailCompiler } from './email-compiler.ts';
import { countEmails } from './email-metrics.ts';
import { sharedJson } from './shared-json.ts';

export interface EmailRoutesOptions {
  readonly emails: EmailCompiler;
  /** Counts each email for the usage of its account. */
  readonly counts: { note(caller: Caller): void };
  readonly metrics: Metrics;
}

const schema = {
  operationId: 'compileEmail',
  summary: 'Compile an email',
  description:
    'Merges data into a saved or an inline email template, exactly one of them, and returns the email. Nothing is stored or sent.',
  tags: ['Emails'],
  body: EmailBody,
  response: { 200: EmailView },
  errors: [
    ...TEMPLATE_ERRORS,
    { code: 'options_invalid', statusCode: 422 },
    'not_a_letter',
    'merge_failed',
    'merge_too_large',
    'merge_timeout',
  ],
} as const;

/** POST /v1/emails/compile */
export const emailRoutes: FastifyPluginAsyncTypebox<EmailRoutesOptions> = async (
  app,
  { emails, counts, metrics },
) => {
  const countEmail = countEmails(metrics);

  app.post('/v1/emails/compile', { schema }, async (request, reply) => {
    // Fastify also accepts bytes from a serializer; its types allow only strings.
    reply.type('application/json; charset=utf-8').serializer(sharedJson as (email: EmailView) => never);
    const { caller } = request;
    const email = await emails.compile(caller, request.body, disconnection(reply));
    counts.note(caller);
    countEmail(caller);
    return email;
  });
};
