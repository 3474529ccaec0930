import { TrifoldError } from '@trifold/platform/service/trifold-error.ts';
import { MergeFailure, mergeFailureOf } from '@trifold/platform/templating/merge/merge-failure.ts';
import {
  parseData,
  TemplateCompiler,
  type CompiledTemplate,
} from '@trifold/platform/templating/merge/template-compiler.ts';
import { LRUCache } from 'lru-cache';
import {
  tooLarge,
  type CompiledEmail,
  type CompileReply,
  type CompileRequest,
  type EmailTemplate,
  type EmailPart,
} from './compile-messages.ts';
import { inboxHtml } from './inbox/inbox-html.ts';
import { plainTextOf } from './inbox/plain-text.ts';
import { isInlinerTrap } from './inbox/rule-matcher.ts';

/** Limits of the cache of compiled email templates: entries, and characters of source. */
const COMPILED_LIMIT = 200;
const COMPILED_SOURCE_LIMIT = 4 * 1024 * 1024;

/** Every part of an email template, ready to be merged. */
type CompiledParts = Readonly<Partial<Record<EmailPart, CompiledTemplate>>>;

/** Compiles emails from email templates and data, in a dedicated process. Call `prepareInliner` first. */
export class EmailTemplateCompiler {
  readonly #compiler = new TemplateCompiler();
  readonly #compiled = new LRUCache<string, CompiledParts>({
    max: COMPILED_LIMIT,
    maxSize: COMPILED_SOURCE_LIMIT,
  });

  /** Compiles one email. Problems of the email template or the data are part of the reply, not thrown. */
  compile(request: Omit<CompileRequest, 'timeoutMs'>): CompileReply {
    const { templateKey, source, maxBytes } = request;
    try {
      const template = this.#compiled.get(templateKey) ?? (source && this.#prepare(templateKey, source));
      if (!template) return { status: 'template_needed' };
      return { status: 'compiled', email: compileWith(template, request) };
    } catch (error) {
      if (!(error instanceof PartFailure)) throw error;
      const { code, message, problem, place, cause } = mergeFailureOf(error.cause, tooLarge(maxBytes));
      const failure = { code, message, part: error.part, problem, place };
      return { status: 'failed', failure, usable: !isInlinerTrap(cause) };
    }
  }

  #prepare(templateKey: string, { subject, preheader, html, text, css }: EmailTemplate): CompiledParts {
    const plain = (part: EmailPart, source: string) =>
      inPart(part, () => this.#compiler.compilePlainText(source));
    const page = { html, ...(css !== undefined && { css }) };
    const template: CompiledParts = {
      subject: plain('subject', subject),
      ...(preheader !== undefined && { preheader: plain('preheader', preheader) }),
      html: inPart('html', () => this.#compiler.compilePage(page)),
      ...(text !== undefined && text !== '' && { text: plain('text', text) }),
    };
    const size = [subject, preheader, html, text, css].reduce((sum, { length } = '') => sum + length, 1);
    this.#compiled.set(templateKey, template, { size });
    return template;
  }
}

/** Names the part of the email template that caused `cause`. */
class PartFailure extends TrifoldError<'part_failed'> {
  readonly part: EmailPart;

  constructor(part: EmailPart, cause: unknown) {
    super('part_failed', 'a part of the email template failed', { cause });
    this.part = part;
  }
}

function inPart<T>(part: EmailPart, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new PartFailure(part, error);
  }
}

function compileWith(
  template: CompiledParts,
  { data, locale, maxBytes }: Omit<CompileRequest, 'timeoutMs'>,
): CompiledEmail {
  const values = parseData(data);
  const part = (name: EmailPart, work: () => string): string =>
    inPart(name, () => {
      const made = work();
      if (Buffer.byteLength(made) <= maxBytes) return made;
      throw new MergeFailure('merge_too_large', tooLarge(maxBytes));
    });
  const merge = (name: EmailPart) => part(name, () => template[name]?.(values, locale) ?? '');

  const subject = oneLine(merge('subject'));
  const preheader = oneLine(merge('preheader'));
  const merged = merge('html');
  const text = merge('text');
  const html = part('html', () => inboxHtml(merged, preheader, maxBytes));
  return {
    subject,
    preheader,
    html,
    text: template.text ? text : part('text', () => plainTextOf(html)),
  };
}

/** Removes line breaks and control characters, so that data cannot add a header to the message. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
