import {
  TrifoldClient,
  type GenerateRequest,
  type InlineTemplate,
  type TemplateEntry,
} from '@trifold/client';
import { UsageError } from '@trifold/cli/usage-error.ts';
import { FileError } from '../render/read-input.ts';
import type { DocumentIdentity } from '../render/local-renderer.ts';
import type { TemplateContent } from '../templates/template-content.ts';
import { warningOf, type Print, type Sample } from './sample.ts';

/** A sample of a template in a service. */
export interface ServiceSample extends Sample {
  readonly id: string;
  readonly version: number;
}

const TEST_KEY = 'tf_test_';

/** Prints samples with a running service. */
export class ServicePrints {
  /** Mode of its documents: with a test key, they have a watermark. */
  readonly mode: DocumentIdentity['mode'];
  readonly #client: TrifoldClient;

  /** Throws UsageError if the URL or the key is missing or malformed. */
  constructor(baseUrl: string, apiKey: string | undefined) {
    if (!apiKey) throw new UsageError('set TRIFOLD_KEY to an API key of the service');
    try {
      this.#client = new TrifoldClient({ baseUrl, apiKey });
    } catch (error) {
      const { message } = error as Error;
      throw new UsageError(message.replace('baseUrl', '--against').replace('apiKey', 'TRIFOLD_KEY'));
    }
    this.mode = apiKey.startsWith(TEST_KEY) ? 'test' : 'live';
  }

  /** Returns the samples of all templates, with the version that documents use by default. */
  async samples(): Promise<readonly ServiceSample[]> {
    const samples: ServiceSample[] = [];
    for await (const entry of this.#client.templates.list()) {
      if (entry.status !== 'archived') samples.push(...(await this.#samplesOf(entry)));
    }
    return samples;
  }

  /** Rejects with FileError if the document fails, or with TrifoldError. Deletes the document afterwards. */
  async print(sample: Sample | ServiceSample): Promise<Print> {
    const { documents } = this.#client;
    const started = await documents.generate(requestFor(sample));
    const document = started.status === 'completed' ? started : await documents.wait(started.id);
    if (document.status === 'failed') throw new FileError(`error: the service: ${document.error.message}`);
    const pdf = await (await documents.download(document.id)).bytes();
    await documents.delete(document.id);
    return { pdf, warnings: document.warnings.map(warningOf) };
  }

  async #samplesOf({ id, published_version }: TemplateEntry): Promise<readonly ServiceSample[]> {
    const { templates } = this.#client;
    const samples = await templates.samples(id);
    if (samples.length === 0) return [];
    const template =
      published_version === undefined
        ? await templates.get(id)
        : await templates.versions.get(id, published_version);
    const { version } = template;
    const content: TemplateContent = { ...template, samples };
    const title = `${template.name} (${id}, version ${version})`;
    return samples.map(({ name, data }) => {
      return { label: `${title}, sample ${name}`, template: title, name, content, data, id, version };
    });
  }
}

function requestFor(sample: Sample | ServiceSample): GenerateRequest {
  const common = { data: { ...sample.data }, format: 'pdf' } as const;
  if ('id' in sample) return { ...common, template_id: sample.id, version: sample.version };
  const { name, html, css, schema, default_options } = sample.content;
  return { ...common, template: { name, html, css, schema, default_options } as InlineTemplate };
}
