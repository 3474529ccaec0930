import type { DocumentWarning, ProblemPart } from '@trifold/crds';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import { MergeFailure, mergeFailureOf } from '@trifold/platform/templating/merge/merge-failure.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { bindingWarning } from '@trifold/platform/templating/merge/binding-findings.ts';
import { compiledBytes } from '@trifold/platform/templating/merge/compiled-bytes.ts';
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
import { emailWarnings } from './email-warnings.ts';
import { inboxHtml } from './inbox/inbox-html.ts';
import { plainTextOf } from './inbox/plain-text.ts';
import { isInlinerTrap } from './inbox/rule-matcher.ts';

/** An email template with every part compiled, and its source. */
type CompiledParts = Readonly<Partial<Record<EmailPart, CompiledTemplate>>> & {
  readonly source: EmailTemplate;
};

/** Location of the warnings about each part. */
const PROBLEM_PART = {
  subject: 'email.subject',
  preheader: 'email.preheader',
  html: 'html',
  text: 'email.text',
} as const satisfies Record<EmailPart, ProblemPart>;

/** Compiles emails from email templates and data, in a dedicated process. Call `prepareInliner` first. */
export class EmailTemplateCompiler {
  readonly #compiler = new TemplateCompiler({ recordsMissing: true });
  readonly #compiled = new LRUCache<string, CompiledParts>({ maxSize: BOUNDS.compiledEmails.limit.value });

  /** Compiles one email. Problems with the email template or the data are part of the reply, not thrown. */
  compile(request: Omit<CompileRequest, 'timeoutMs'>): CompileReply {
    const { templateKey, source, maxBytes, looksAtValues = false } = request;
    this.#compiler.lookAtValues(looksAtValues);
    try {
      const template = this.#compiled.get(templateKey) ?? (source && this.#prepare(templateKey, source));
      if (!template) return { status: 'template_needed' };
      return { status: 'compiled', email: this.#compileWith(template, request) };
    } catch (error) {
      // The findings must not leak into the next email.
      this.#compiler.takeBindingFindings();
      if (!(error instanceof PartFailure)) throw error;
      const { code, message, problem, place, cause } = mergeFailureOf(error.cause, tooLarge(maxBytes));
      const failure = { code, message, part: error.part, problem, place };
      return { status: 'failed', failure, usable: !isInlinerTrap(cause) };
    }
  }

  #prepare(templateKey: string, source: EmailTemplate): CompiledParts {
    const { subject, preheader, html, text, css } = source;
    const plain = (part: EmailPart, content: string) =>
      inPart(part, () => this.#compiler.compilePlainText(content));
    const page = { html, ...(css !== undefined && { css }) };
    const template: CompiledParts = {
      source,
      subject: plain('subject', subject),
      ...(preheader !== undefined && { preheader: plain('preheader', preheader) }),
      html: inPart('html', () => this.#compiler.compilePage(page)),
      ...(text !== undefined && text !== '' && { text: plain('text', text) }),
    };
    const size = compiledBytes(subject, preheader ?? '', html, text ?? '', css ?? '');
    this.#compiled.set(templateKey, template, { size });
    return template;
  }

  #compileWith(
    template: CompiledParts,
    { data, locale, maxBytes }: Omit<CompileRequest, 'timeoutMs'>,
  ): CompiledEmail {
    const values = parseData(data);
    const bindings: DocumentWarning[] = [];
    const merge = (name: EmailPart): string => {
      const made = inPart(name, () => within(maxBytes, template[name]?.(values, locale) ?? ''));
      const missing = this.#compiler.takeBindingFindings();
      bindings.push(...missing.map((binding) => bindingWarning(binding, PROBLEM_PART[name])));
      return made;
    };

    const subject = oneLine(merge('subject'));
    const preheader = oneLine(merge('preheader'));
    const merged = merge('html');
    const text = merge('text');
    const { html, problems } = inPart('html', () => inboxHtml(merged, preheader, maxBytes));
    inPart('html', () => within(maxBytes, html));
    return {
      subject,
      preheader,
      html,
      text: template.text ? text : inPart('text', () => within(maxBytes, plainTextOf(html))),
      warnings: emailWarnings(bindings, problems, template.source),
    };
  }
}

function within(maxBytes: number, made: string): string {
  if (Buffer.byteLength(made) <= maxBytes) return made;
  throw new MergeFailure('merge_too_large', tooLarge(maxBytes));
}

/** Identifies the part of the email template that caused `cause`. */
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

/** Removes line breaks and control characters, so that data cannot add a header to the message. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
