import type { DocumentProperties, ProblemPart } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { BoundedRequest } from '@trifold/platform/child-process/serve-parent.ts';
import {
  mapDecorations,
  type DecorationName,
  type Decorations,
} from '@trifold/platform/templating/decorations.ts';
import type { LocaleOptions } from '@trifold/platform/templating/locale-options.ts';
import type { FailurePlace } from '@trifold/platform/errors/document-error.ts';
import {
  MergeFailure,
  mergeFailureOf,
  type MergeFailureCode,
} from '@trifold/platform/templating/merge/merge-failure.ts';
import {
  PAGE_TOKENS,
  parseData,
  TemplateCompiler,
  type CompiledPage,
  type CompiledTemplate,
  type DocumentRules,
} from '@trifold/platform/templating/merge/template-compiler.ts';
import { bindingWarning } from '@trifold/platform/templating/merge/binding-findings.ts';
import { compiledBytes } from '@trifold/platform/templating/merge/compiled-bytes.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { LRUCache } from 'lru-cache';
import { preambleOf, type SelfContainedOptions } from '../formats/self-contained-html.ts';
import { embeddedImages, type EmbeddedImages } from '../images/image-pixels.ts';
import { rootAttributes } from './root-attributes.ts';
import { usedScripts } from '../glyphs/used-scripts.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { maySuspect, unshownContent } from '../content-checks/unshown-content.ts';
import { closedFragment } from './closed-fragment.ts';
import { mergedProperties, withLanguage } from './document-properties.ts';

/** Input for a document in addition to its template: request options, and additions from its format. */
export interface MergeExtras extends DocumentRules, LocaleOptions, Decorations {
  /** Requests the preamble of a self-contained file. */
  readonly selfContained?: SelfContainedOptions | undefined;
  /** May contain bindings, except the language. */
  readonly properties?: DocumentProperties | undefined;
}

/** In its headers and footers, all elements are closed and PAGE_TOKENS stand for page numbers. */
export interface MergedDocument extends Decorations {
  readonly html: string;
  /** Precedes the HTML of a self-contained file. */
  readonly preamble?: string;
  /** Scripts that the document, its headers and its footers use (usedScripts); absent if none. */
  readonly scripts?: readonly string[];
  /** Number of pixels in the embedded images; absent if none, and for self-contained files. */
  readonly imagePixels?: number;
  /** Language and direction, as attributes for the documents of its headers and footers; absent without either. */
  readonly rootAttributes?: string;
  /** Contains no bindings or empty values; absent unless requested. */
  readonly properties?: DocumentProperties;
  /** Warnings about bindings that print nothing, and content that browsers do not show; absent if none. */
  readonly warnings?: readonly FoundWarning[];
}

/** Message to a merge process. */
export interface MergeRequest extends BoundedRequest {
  /** Identifies the revision; cache key of its compiled template. */
  readonly revisionKey: string;
  /** Omitted at first; the process requests it when the revision is not cached. */
  readonly source?: TemplateSource;
  readonly extras?: MergeExtras | undefined;
  /** Whether an author reads the warnings: some are only for previews and test documents. @default false */
  readonly hasAuthor?: boolean;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
  /** Maximum size of the merged HTML, in bytes. */
  readonly maxBytes: number;
  /** Whether document scripts run. @default false */
  readonly scripts?: boolean;
}

/** Message from a merge process. */
export type MergeReply =
  | { readonly status: 'source_needed' }
  | ({ readonly status: 'merged' } & MergedDocument)
  | {
      readonly status: 'failed';
      readonly code: MergeFailureCode | 'image_too_large';
      readonly message: string;
      readonly place?: FailurePlace | undefined;
      /** Warnings found before the failure; absent if none. */
      readonly warnings?: readonly FoundWarning[];
    };

/** Limits for a merged header or footer: characters, and uses of `{{page}}` and `{{pages}}`. */
const MAX_DECORATION_CHARACTERS = 2 ** 20;
const MAX_PAGE_NUMBERS = 1000;
const PAGE_TOKEN = new RegExp(Object.values(PAGE_TOKENS).join('|'), 'g');

export class TemplateMerger {
  readonly #compiler = new TemplateCompiler({ recordsMissing: true });
  /**
   * Compiled pages by revision. Compiled headers, footers and document properties by content, because requests may
   * contain them.
   */
  readonly #compiled = new LRUCache<string, CompiledPage>({ maxSize: BOUNDS.compiledTemplates.limit.value });

  /** Never throws for an error in the template or the data. */
  merge(request: Omit<MergeRequest, 'timeoutMs'>): MergeReply {
    const { revisionKey, source, maxBytes } = request;
    const warnings: FoundWarning[] = [];
    try {
      const template = source ? this.#pageOf(revisionKey, source) : this.#compiled.get(revisionKey);
      if (!template) return { status: 'source_needed' };
      const merged = this.#merge(template, request, warnings);
      if (bytesOf(merged) > maxBytes) throw new MergeFailure('merge_too_large', tooLarge(maxBytes));
      const images = imagesOf(merged, request.extras);
      if ('problem' in images) {
        return { status: 'failed', code: 'image_too_large', message: images.problem, ...some(warnings) };
      }
      warnings.push(...unshownIn(merged, request, images.isSuspect));
      return {
        status: 'merged',
        ...finished(merged, request.extras),
        ...(images.pixels > 0 && { imagePixels: images.pixels }),
        ...some(warnings),
      };
    } catch (error) {
      return failedReply(mergeFailureOf(error, tooLarge(maxBytes)), warnings);
    }
  }

  /** `warnings`: receives warnings about bindings, even if the merge fails. */
  #merge(
    template: CompiledPage,
    request: Omit<MergeRequest, 'timeoutMs'>,
    warnings: FoundWarning[],
  ): MergedDocument {
    const { data, extras, hasAuthor = false } = request;
    const values = parseData(data);
    this.#compiler.lookAtValues(hasAuthor);
    const merge = <T>(part: ProblemPart, work: () => T): T => {
      try {
        return work();
      } finally {
        const found = this.#compiler.takeBindingFindings();
        warnings.push(...found.map((each) => bindingWarning(each, part)));
      }
    };
    const html = merge('html', () => template(values, extras));
    if (extras === undefined) return { html };
    const mergeDecoration = (content: string, name: DecorationName) => {
      try {
        return merge(name, () => this.#decorationOf(content)(values, extras));
      } catch (error) {
        throw decorationFailure(name, error);
      }
    };
    const decorations = mapDecorations(extras, mergeDecoration);
    return { ...decorations, ...merge('properties', () => this.#mergeProperties(html, extras, values)) };
  }

  #pageOf(revisionKey: string, source: TemplateSource): CompiledPage {
    const { html, css = '' } = source;
    return this.#cached(revisionKey, [html, css], () => this.#compiler.compilePage(source));
  }

  #decorationOf(content: string): CompiledTemplate {
    return this.#cached(`decoration ${content}`, [content], () => this.#compiler.compileDecoration(content));
  }

  #mergeProperties(
    html: string,
    extras: MergeExtras,
    values: Record<string, unknown>,
  ): Pick<MergedDocument, 'html' | 'properties'> {
    const { properties } = extras;
    if (!properties) return { html };
    const merge = (text: string) => this.#mergePlainText(text, values, extras);
    return {
      html: withLanguage(html, properties.language),
      properties: mergedProperties(properties, merge),
    };
  }

  #mergePlainText(text: string, values: Record<string, unknown>, extras: MergeExtras): string {
    const compile = () => this.#compiler.compilePlainText(text);
    return this.#cached(`text ${text}`, [text], compile)(values, extras);
  }

  #cached(key: string, sources: readonly string[], compile: () => CompiledPage): CompiledPage {
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = compile();
    this.#compiled.set(key, compiled, { size: compiledBytes(...sources) });
    return compiled;
  }
}

function some(warnings: readonly FoundWarning[]): { warnings?: readonly FoundWarning[] } {
  return warnings.length > 0 ? { warnings } : {};
}

function failedReply({ code, message, place }: MergeFailure, warnings: readonly FoundWarning[]): MergeReply {
  return {
    status: 'failed',
    code,
    message,
    ...(place && { place: { part: 'html', ...place } }),
    ...some(warnings),
  };
}

/** Processes the merged text here, so that no other process has to scan it. */
function finished(merged: MergedDocument, extras: MergeExtras | undefined): MergedDocument {
  const { html, properties } = merged;
  const scripts = usedScripts(...textsOf(merged));
  const decorations = mapDecorations(merged, closedDecoration);
  const attributes = Object.keys(decorations).length > 0 ? rootAttributes(html, properties?.language) : '';
  return {
    html,
    ...(attributes !== '' && { rootAttributes: attributes }),
    ...(scripts.length > 0 && { scripts }),
    ...(extras?.selfContained && { preamble: preambleOf(html, extras.selfContained) }),
    ...decorations,
    ...(properties && { properties }),
  };
}

/** Our browsers do not show a self-contained file, so its pixels do not count. */
function imagesOf(merged: MergedDocument, extras?: MergeExtras): EmbeddedImages {
  const images = embeddedImages(...textsOf(merged));
  if (!extras?.selfContained) return images;
  return { pixels: 0, isSuspect: 'problem' in images || images.isSuspect };
}

/** Returns warnings about content that browsers do not show. Parses only documents that may contain some. */
function unshownIn(
  merged: MergedDocument,
  { extras, scripts = false }: Pick<MergeRequest, 'extras' | 'scripts'>,
  isSuspect: boolean,
): FoundWarning[] {
  const options = { scripts, selfContained: extras?.selfContained !== undefined };
  const found: FoundWarning[] = [];
  const look = (html: string, part?: DecorationName) => {
    if (isSuspect || maySuspect(html)) found.push(...unshownContent(html, { ...options, part }));
    return html;
  };
  look(merged.html);
  mapDecorations(merged, look);
  return found;
}

/** Every page may get a separate copy, assembled on the thread that serves all documents. */
function checkDecoration(content: string): void {
  if (content.length > MAX_DECORATION_CHARACTERS) {
    const message = `it is longer than the limit of ${MAX_DECORATION_CHARACTERS} characters`;
    throw new MergeFailure('merge_too_large', message);
  }
  const numbers = content.match(PAGE_TOKEN)?.length ?? 0;
  if (numbers <= MAX_PAGE_NUMBERS) return;
  throw new MergeFailure('merge_failed', `it has more than ${MAX_PAGE_NUMBERS} page numbers`);
}

function closedDecoration(content: string, name: DecorationName): string {
  try {
    checkDecoration(content);
    return closedFragment(content);
  } catch (error) {
    throw decorationFailure(name, error);
  }
}

function decorationFailure(name: DecorationName, error: unknown): MergeFailure {
  const { code, message, place } = mergeFailureOf(error, 'it is too long');
  return new MergeFailure(code, `the ${name}: ${message}`, { place: { part: name, ...place } });
}

function bytesOf(merged: MergedDocument): number {
  return textsOf(merged).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function textsOf(merged: MergedDocument): [string, ...string[]] {
  return [merged.html, ...Object.values(mapDecorations(merged, (content) => content))];
}

/** Error message; also used when a process runs out of memory. */
export function tooLarge(maxBytes: number): string {
  return `the merged HTML exceeds the limit of ${maxBytes} bytes`;
}
