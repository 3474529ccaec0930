import { EmailBody, EmailView } from '../../emails/email-body.ts';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { disconnection } from '../disconnection.ts';

const schema = { body: EmailBody, response: { 200: EmailView, ...errorResponses } };

/** POST /v1/emails/compile */
export function compileEmail(app: Application, { emails }: Services): void {
  app.post('/v1/emails/compile', { schema }, async (request, reply) =>
    emails.compile(request.caller, request.body, disconnection(reply)),
  );
}
