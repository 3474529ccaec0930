import { EmailBody, EmailView } from '../email-body.ts';
import { sharedJson } from '../shared-json.ts';
import type { Application, Services } from '../../services.ts';
import { disconnection } from '../../server/http/disconnection.ts';
import { TEMPLATE_ERRORS } from '../../templates/routes/template-errors.ts';

const schema = {
  operationId: 'compileEmail',
  summary: 'Compile an email',
  description:
    'Merges data into a saved or an inline email template, exactly one of them, and returns the email. Nothing is stored or sent.',
  tags: ['Emails'],
  body: EmailBody,
  response: { 200: EmailView },
  errors: [...TEMPLATE_ERRORS, 'not_a_letter', 'merge_failed', 'merge_too_large', 'merge_timeout'],
} as const;

/** POST /v1/emails/compile */
export function compileEmail(app: Application, { emails }: Services): void {
  app.post('/v1/emails/compile', { schema }, async (request, reply) => {
    // Fastify also accepts bytes from a serializer; its types allow only strings.
    reply.type('application/json; charset=utf-8').serializer(sharedJson as (email: EmailView) => never);
    return emails.compile(request.caller, request.body, disconnection(reply));
  });
}
