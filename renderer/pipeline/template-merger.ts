import { MergeFailure, mergeFailureOf } from '@trifold/platform/merging/merge-failure.ts';
import {
  parseData,
  TemplateCompiler,
  type CompiledTemplate,
} from '@trifold/platform/merging/template-compiler.ts';
import type { TemplateSource } from '@trifold/platform/templates/revision.ts';
import { LRUCache } from 'lru-cache';
import type { MergeReply, MergeRequest } from './merge-messages.ts';

/** Compiled templates that are kept: so many, and so many characters of source. */
const COMPILED_LIMIT = 500;
const COMPILED_SOURCE_LIMIT = 32 * 1024 * 1024;

/** Merges templates with data. */
export class TemplateMerger {
  readonly #compiler = new TemplateCompiler();
  readonly #compiled = new LRUCache<string, CompiledTemplate>({
    max: COMPILED_LIMIT,
    maxSize: COMPILED_SOURCE_LIMIT,
  });

  /** Never throws for a reason of the template's or the data's own. */
  merge({ revisionKey, source, data, maxBytes }: Omit<MergeRequest, 'timeoutMs'>): MergeReply {
    try {
      const template = this.#compiled.get(revisionKey) ?? (source && this.#compile(revisionKey, source));
      if (!template) return { status: 'source_needed' };
      const html = template(parseData(data));
      if (Buffer.byteLength(html) > maxBytes) throw new MergeFailure('merge_too_large', tooLarge(maxBytes));
      return { status: 'merged', html };
    } catch (error) {
      const { code, message } = mergeFailureOf(error, tooLarge(maxBytes));
      return { status: 'failed', code, message };
    }
  }

  #compile(revisionKey: string, source: TemplateSource): CompiledTemplate {
    const compiled = this.#compiler.compilePage(source);
    const size = source.html.length + (source.css?.length ?? 0) + 1;
    this.#compiled.set(revisionKey, compiled, { size });
    return compiled;
  }
}

/** Also for a process that ran out of memory. */
export function tooLarge(maxBytes: number): string {
  return `the merged document is larger than the limit of ${maxBytes} bytes of html`;
}
