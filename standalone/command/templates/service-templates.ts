import { TrifoldClient, type NewTemplate, type TemplateChange } from '@trifold/client';
import { UsageError } from '@trifold/cli/usage-error.ts';
import { FileError } from '../render/read-input.ts';
import { changedFields, type StoredTemplate } from './template-content.ts';
import type { SavedTemplate, TemplateName, TemplateStore } from './template-store.ts';

/** An account's templates, through `/v1`. */
export class ServiceTemplates implements TemplateStore {
  readonly title = 'service';
  readonly assignsIds = true;
  readonly #client: TrifoldClient;

  /** Throws UsageError if the URL or the key is missing or malformed. */
  constructor(baseUrl: string | undefined, apiKey: string | undefined) {
    if (!baseUrl || !apiKey) {
      const message =
        'set TRIFOLD_URL to the URL of the service and TRIFOLD_KEY to an API key, or use a YAML file with --kind';
      throw new UsageError(message);
    }
    try {
      this.#client = new TrifoldClient({ baseUrl, apiKey });
    } catch (error) {
      throw new UsageError(
        (error as Error).message.replace('baseUrl', 'TRIFOLD_URL').replace('apiKey', 'TRIFOLD_KEY'),
      );
    }
  }

  async names(): Promise<readonly TemplateName[]> {
    const names: TemplateName[] = [];
    for await (const { id, name } of this.#client.templates.list()) names.push({ id, name });
    return names;
  }

  async read(id: string): Promise<StoredTemplate> {
    const template = await this.#client.templates.get(id);
    const samples = await this.#client.templates.samples(id);
    return { id, version: template.version, content: { ...template, samples } };
  }

  async save(
    template: StoredTemplate,
    before: StoredTemplate | undefined,
    force: boolean,
  ): Promise<SavedTemplate> {
    const { templates } = this.#client;
    const { samples, ...fields } = template.content;
    if (before?.id === undefined) {
      if (template.id !== undefined) {
        const message = `the service has no template ${template.id}: remove "id" and "version" from template.json to create it`;
        throw new FileError(`error: ${message}`);
      }
      const { id, version } = await templates.create(fields as NewTemplate);
      if (samples.length > 0) await templates.saveSamples(id, samples);
      return { id, version };
    }
    const change = changedFields(before.content, template.content) as TemplateChange;
    const { version } = await templates.update(before.id, change, force ? {} : { ifVersion: before.version });
    return { id: before.id, version };
  }

  async close(): Promise<void> {}
}
