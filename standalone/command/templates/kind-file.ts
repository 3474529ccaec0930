import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import {
  apiVersionOf,
  isResourceName,
  SAMPLES_ANNOTATION,
  SAMPLES_REF_ANNOTATION,
  TEMPLATE,
  TemplateSpec,
  toJsonSchema,
  type Template,
} from '@trifold/crds';
import { detailsOf } from '@trifold/api-gateway/server/errors/validation-details.ts';
import { annotatedSamples } from '@trifold/api-gateway/templates/samples.ts';
import type { TemplateChange } from '@trifold/api-gateway/templates/template-body.ts';
import { changedSpec, partsOf } from '@trifold/api-gateway/templates/template-mapping.ts';
import type { TemplateSample } from '@trifold/client';
import { parseAllDocuments, stringify } from 'yaml';
import { FileError, nameOf, readInput, STANDARD } from '../render/read-input.ts';
import { writeOutput } from '../render/write-output.ts';
import { slugOf } from './file-names.ts';
import type { StoredTemplate, TemplateContent } from './template-content.ts';
import type { SavedTemplate, TemplateName, TemplateStore } from './template-store.ts';

interface Resource extends Omit<Template, 'metadata'> {
  readonly metadata: Partial<Template['metadata']> & { readonly name: string };
}

const validateSpec = new Ajv({
  allErrors: true,
  strict: false,
  verbose: true,
  validateFormats: false,
}).compile(toJsonSchema(TemplateSpec));

/** The Template resources in a YAML file, as kubectl reads and writes them. Other resources in the file are kept. */
export class KindFile implements TemplateStore {
  readonly title: string;
  readonly assignsIds = false;
  readonly #input: string;
  readonly #resources: unknown[];
  #changed = false;

  private constructor(input: string, resources: unknown[]) {
    this.title = nameOf(input);
    this.#input = input;
    this.#resources = resources;
  }

  /** Opens a file, or standard input or output. Rejects with FileError. */
  static async open(input: string, mode: 'read' | 'write'): Promise<KindFile> {
    return new KindFile(input, resourcesIn(await textOf(input, mode), nameOf(input)));
  }

  async names(): Promise<readonly TemplateName[]> {
    return this.#templates().map(({ metadata, spec }) => ({ id: metadata.name, name: spec.displayName }));
  }

  async read(id: string): Promise<StoredTemplate> {
    const resource = this.#templates().find(({ metadata }) => metadata.name === id) as Resource;
    const { html } = resource.spec;
    const { annotations = {}, generation } = resource.metadata;
    if (html === undefined || (annotations[SAMPLES_REF_ANNOTATION] && !annotations[SAMPLES_ANNOTATION])) {
      const what = html === undefined ? 'HTML' : 'samples';
      throw new FileError(
        `${this.title}: error: the ${what} of ${id} cannot be read from the object store: pull the template from the service`,
      );
    }
    const content = contentOf(resource, html);
    return { id, version: generation, content };
  }

  async save({ id, content }: StoredTemplate, before: StoredTemplate | undefined): Promise<SavedTemplate> {
    const name = before?.id ?? id ?? slugOf(content.name);
    const isTaken = !before && this.#templates().some(({ metadata }) => metadata.name === name);
    if (isTaken || !isResourceName(name)) {
      const problem = isTaken ? 'is the name of another resource' : 'cannot be the name of a resource';
      throw new FileError(`error: ${JSON.stringify(name)} ${problem}: set a different "id" in template.json`);
    }
    const at = this.#resources.findIndex((each) => isTemplate(each) && each.metadata.name === name);
    const old = this.#resources[at] as Resource | undefined;
    this.#resources.splice(at === -1 ? this.#resources.length : at, 1, resourceOf(name, content, old));
    this.#changed = true;
    return { id: name };
  }

  async close(): Promise<void> {
    if (!this.#changed) return;
    const text = this.#resources.map((resource) => stringify(resource, { lineWidth: 0 })).join('---\n');
    await writeOutput(this.#input, text);
  }

  #templates(): readonly Resource[] {
    return this.#resources.filter(isTemplate);
  }
}

/** Standard output has no content yet, and a file to be written might not exist. */
async function textOf(input: string, mode: 'read' | 'write'): Promise<string> {
  if (mode === 'read') return (await readInput(input)).toString();
  if (input === STANDARD) return '';
  return readFile(input, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new FileError(`${input}: error: ${error.message}`, error);
  });
}

function resourcesIn(text: string, title: string): unknown[] {
  const documents = parseAllDocuments(text);
  const resources = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error) {
      const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? [];
      throw new FileError(
        `${title}:${line}:${col}: error: not valid YAML: ${error.message.replace(/ at line .*/s, '')}`,
      );
    }
    const value = document.toJS() as { items?: unknown } | null;
    if (value !== null)
      resources.push(...(Array.isArray(value.items) ? (value.items as unknown[]) : [value]));
  }
  for (const resource of resources.filter(isTemplate)) checkResource(resource, title);
  return resources;
}

function isTemplate(resource: unknown): resource is Resource {
  const { apiVersion, kind } = (resource ?? {}) as Partial<Resource>;
  return apiVersion === apiVersionOf(TEMPLATE) && kind === TEMPLATE.kind;
}

function checkResource({ metadata, spec }: Partial<Resource>, title: string): void {
  const name = metadata?.name;
  if (typeof name !== 'string') throw new FileError(`${title}: error: a Template has no metadata.name`);
  if (validateSpec(spec ?? {})) return;
  const problems = detailsOf(validateSpec.errors ?? []);
  throw new FileError(
    problems
      .map(({ path, message }) => `${title}: error: Template ${name}: spec${path} ${message}`)
      .join('\n'),
  );
}

function contentOf(resource: Resource, html: string): TemplateContent {
  const { displayName: name, description = null, state: status = 'active', css } = resource.spec;
  const samples = (annotatedSamples(resource as Template) ?? []) as TemplateSample[];
  const parts = partsOf(resource.spec, { html, ...(css !== undefined && { css }) });
  return { name, description, status, ...parts, samples };
}

/** Keeps the namespace, labels and annotations; the API server writes the other metadata. */
function resourceOf(name: string, content: TemplateContent, old: Resource | undefined): object {
  const { samples, html, css, ...fields } = content;
  const { [SAMPLES_ANNOTATION]: _samples, ...others } = old?.metadata.annotations ?? {};
  const annotations = {
    ...others,
    ...(samples.length > 0 && { [SAMPLES_ANNOTATION]: JSON.stringify(samples) }),
  };
  const { namespace, labels } = old?.metadata ?? {};
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  const spec = { ...changedSpec({}, fields as TemplateChange), ...(css !== null && { css }), html };
  return { apiVersion: apiVersionOf(TEMPLATE), kind: TEMPLATE.kind, metadata, spec };
}
