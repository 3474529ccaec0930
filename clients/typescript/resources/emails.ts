import type { CallOptions } from '../transport/call.ts';
import { Resource, type Schemas } from './resource.ts';

/** An email template sent in the request instead of a saved one. */
export type InlineEmailTemplate = Schemas['InlineEmailTemplate'];

/** Either a saved email template or an inline one (interface, "Email compile"). */
export type CompileRequest =
  | (EmailRequest<'template_id'> & { template?: never })
  | (EmailRequest<'template'> & { template_id?: never });

type EmailRequest<Source extends 'template' | 'template_id'> = Required<
  Pick<Schemas['EmailRequest'], Source | 'data'>
>;

/** A compiled email; the service does not store it. */
export type CompiledEmail = Readonly<Schemas['CompiledEmail']>;

/** Emails. */
export class Emails extends Resource {
  /** Compiles an email template with data. Never retried, because each compilation is counted. */
  async compile(request: CompileRequest, options?: CallOptions): Promise<CompiledEmail> {
    return this.transport.json({ method: 'POST', path: '/v1/emails/compile', body: request, options });
  }
}
