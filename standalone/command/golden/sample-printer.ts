import path from 'node:path';
import type { PreviewBody } from '@trifold/api-gateway/previews/preview-body.ts';
import { RawJson } from '@trifold/platform/request-body/raw-json.ts';
import { FileError } from '../render/read-input.ts';
import { lineOf } from '../render/finding-line.ts';
import type { DocumentIdentity, LocalRenderer } from '../render/local-renderer.ts';
import { fileNameOf } from '../templates/file-names.ts';
import { PARTS, SAMPLES } from '../templates/template-content.ts';
import { warningOf, type Print, type Sample } from './sample.ts';

/** Prints samples in this process, one at a time. */
export class SamplePrinter {
  readonly #renderer: LocalRenderer;

  constructor(renderer: LocalRenderer) {
    this.#renderer = renderer;
  }

  /** Browser product and version, known after the first print. */
  get browser(): string {
    return this.#renderer.browserVersion;
  }

  /** Rejects with FileError, which lists all problems with the template and the data. */
  async print(sample: Sample, identity: DocumentIdentity): Promise<Print & { readonly pages: number }> {
    const { name: title, html, css, schema, default_options } = sample.content;
    const {
      file,
      pages = 0,
      findings,
    } = await this.#renderer.render({
      html,
      data: new RawJson(Buffer.from(JSON.stringify(sample.data))),
      ...(css !== null && { css }),
      ...(schema && { schema: schema as NonNullable<PreviewBody['schema']> }),
      ...(default_options && { default_options }),
      format: 'pdf',
      title,
      identity,
    });
    if (!file) throw new FileError(findings.map((finding) => lineOf(finding, filesOf(sample))).join('\n'));
    return { pdf: file, pages, warnings: findings.map(warningOf) };
  }
}

function filesOf({ template, name }: Sample) {
  const at = (file: string) => path.join(template, file);
  return {
    template: at(PARTS.html),
    css: at(PARTS.css),
    schema: at(PARTS.schema),
    options: at(PARTS.default_options),
    data: at(sampleFile(name)),
  };
}

/** Returns a sample's file, relative to its template's folder. */
export function sampleFile(name: string): string {
  return `${SAMPLES}/${fileNameOf(name)}.json`;
}
