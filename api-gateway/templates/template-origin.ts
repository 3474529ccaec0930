import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';

/** Source of the template in a request. */
export type TemplateOrigin<Sent> = { readonly saved: string } | { readonly sent: Sent };

/** Returns the template of a body: exactly one of template_id and template. Throws ApiError `invalid_request`. */
export function templateOrigin<Sent>({
  template_id: saved,
  template: sent,
}: {
  readonly template_id?: string;
  readonly template?: Sent;
}): TemplateOrigin<Sent> {
  if (saved !== undefined && sent === undefined) return { saved };
  if (sent !== undefined && saved === undefined) return { sent };
  const detail: ErrorDetail =
    sent === undefined
      ? { path: '/template_id', message: 'is required unless template is sent' }
      : { path: '/template', message: 'cannot be sent together with template_id' };
  const message = `The body is not valid: ${detail.path} ${detail.message}. Send exactly one of template_id and template.`;
  throw new ApiError('invalid_request', message, { details: [detail] });
}
