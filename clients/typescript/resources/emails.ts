import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { Schemas } from './schemas.ts';

/** An email template that is sent along, in place of a saved template. */
export type InlineEmailTemplate = Schemas['InlineEmailTemplate'];

/** Exactly one of a saved email template and one that is sent along (interface, "Email compile"). */
export type CompileRequest =
  | (EmailRequest<'template_id'> & { template?: never })
  | (EmailRequest<'template'> & { template_id?: never });

type EmailRequest<Source extends 'template' | 'template_id'> = Required<
  Pick<Schemas['EmailRequest'], Source | 'data'>
>;

/** A compiled email; the service keeps nothing of it. */
export type CompiledEmail = Readonly<Schemas['CompiledEmail']>;

/** Emails. */
export class Emails {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Binds data into an email template. Sent once, as each compilation is counted. */
  async compile(request: CompileRequest, options?: CallOptions): Promise<CompiledEmail> {
    return this.#transport.json({ method: 'POST', path: '/v1/emails/compile', body: request, options });
  }
}
