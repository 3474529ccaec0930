import type { CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { TemplateEmail } from './templates.ts';

/** A letter that is sent along, in place of a saved template. */
export interface InlineLetter extends TemplateEmail {
  engine: 'handlebars-html';
  html: string;
  css?: string;
}

/** Exactly one of a saved letter and one that is sent along (interface, "Email compile"). */
export type CompileRequest =
  | { template_id: string; template?: never; data: object }
  | { template: InlineLetter; template_id?: never; data: object };

interface EmailParts {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** A compiled email; the service keeps nothing of it. */
export interface CompiledEmail extends EmailParts {
  readonly id: string;
  /** Null for a letter that was sent along. */
  readonly template_id: string | null;
  /** Empty when the letter has none. */
  readonly preheader: string;
  /** The email in the words of three providers. */
  readonly providers: {
    readonly resend: EmailParts;
    readonly mailgun: EmailParts;
    readonly brevo: {
      readonly subject: string;
      readonly htmlContent: string;
      readonly textContent: string;
    };
  };
  readonly stored: false;
  /** ISO 8601 with milliseconds. */
  readonly compiled_at: string;
}

/** Emails. */
export class Emails {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Binds data into a letter. Sent once, as each compilation is counted. */
  async compile(request: CompileRequest, options?: CallOptions): Promise<CompiledEmail> {
    return this.#transport.json({ method: 'POST', path: '/v1/emails/compile', body: request, options });
  }
}
