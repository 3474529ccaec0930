import type { GenerationOptions, NewTemplate, Template, TemplateSample } from '@trifold/client';
import { parse, stringify } from 'yaml';
import { text } from '../../messages/text.ts';

const API_VERSION = 'trifold.dev/v1alpha1';
const KIND = 'Template';
const SAMPLES_ANNOTATION = 'trifold.dev/samples';

/** Members of options whose names differ: in the API and in the kind. The others are alike. */
const OPTION_NAMES = [
  ['page_size', 'pageSize'],
  ['print_background', 'printBackground'],
  ['full_page', 'fullPage'],
  ['device_scale', 'deviceScale'],
  ['time_zone', 'timeZone'],
] as const;

/** A template of a file, before it is created. */
export interface TemplateFile {
  readonly template: NewTemplate;
  readonly samples: readonly TemplateSample[];
}

/** Thrown for a file that has no template. The message is for people. */
export class TemplateFileError extends Error {
  override readonly name = 'TemplateFileError';
}

/** Returns a template as YAML of its kind, for `kubectl apply` and for `readTemplate`. */
export function templateYaml(template: Template, samples: readonly TemplateSample[]): string {
  const { id, name, description, status, html, css, schema, default_options, email } = template;
  const annotations = { [SAMPLES_ANNOTATION]: JSON.stringify(samples) };
  const spec = {
    displayName: name,
    description,
    state: status,
    schema,
    defaultOptions: default_options && kindOptions(default_options),
    email,
    css,
    html,
  };
  const manifest = {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: id, ...(samples.length > 0 && { annotations }) },
    spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null)),
  };
  // kubectl reads YAML 1.1, in which a plain `yes` is a boolean.
  return stringify(manifest, { version: '1.1', lineWidth: 0 });
}

/** Reads YAML of the kind. The service checks the content. Throws TemplateFileError. */
export function readTemplate(yaml: string): TemplateFile {
  const manifest = parseYaml(yaml) as Partial<Manifest> | null;
  if (manifest?.kind !== KIND || manifest.apiVersion !== API_VERSION || !manifest.spec) {
    throw new TemplateFileError(text.gallery.notTemplate);
  }
  const { displayName, state, html, defaultOptions, description, schema, email, css } = manifest.spec;
  if (typeof html !== 'string') throw new TemplateFileError(text.gallery.withoutHtml);
  const template = {
    name: displayName,
    description,
    status: state,
    html,
    css,
    schema,
    default_options: defaultOptions && apiOptions(defaultOptions),
    email,
  };
  const given = Object.entries(template).filter(([, value]) => value !== undefined);
  return {
    template: Object.fromEntries(given) as NewTemplate,
    samples: samplesOf(manifest.metadata?.annotations?.[SAMPLES_ANNOTATION]),
  };
}

/** What a file of the kind should contain; the content of the members is not known. */
interface Manifest {
  readonly apiVersion: unknown;
  readonly kind: unknown;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> };
  readonly spec: Readonly<Record<string, unknown>> & { readonly defaultOptions?: object };
}

function parseYaml(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    throw new TemplateFileError(text.gallery.notYaml((error as Error).message), { cause: error });
  }
}

function samplesOf(annotation: unknown): readonly TemplateSample[] {
  if (typeof annotation !== 'string') return [];
  try {
    return JSON.parse(annotation) as readonly TemplateSample[];
  } catch (error) {
    throw new TemplateFileError(text.gallery.badSamples, { cause: error });
  }
}

/** The kind has a margin for each side. */
function kindOptions({ margins, ...options }: GenerationOptions): object {
  const sides = typeof margins === 'string' ? sidesOf(margins) : margins;
  return renamed({ ...options, ...(sides && { margins: sides }) }, OPTION_NAMES);
}

function sidesOf(margin: string): object {
  return { top: margin, right: margin, bottom: margin, left: margin };
}

function apiOptions(options: object): object {
  return renamed(
    options,
    OPTION_NAMES.map(([api, kind]) => [kind, api] as const),
  );
}

function renamed(members: object, names: readonly (readonly [string, string])[]): object {
  const changes = new Map(names);
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [changes.get(name) ?? name, value]),
  );
}
