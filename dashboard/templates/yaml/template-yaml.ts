import { parseJson, type NewTemplate, type Template, type TemplateSample } from '@trifold/client';
import { parse, stringify } from 'yaml';
import { gallery as messages } from '../../messages/template-pages.ts';
import { isObject } from '../json-text.ts';
import { expanded, OPTIONS, type Option } from '../options/edit-options.ts';

const API_VERSION = 'trifold.dev/v1alpha1';
const KIND = 'Template';
const SAMPLES_ANNOTATION = 'trifold.dev/samples';
/** Kubernetes allows 256 KiB of annotations, and kubectl stores a second copy of each in another annotation. */
const MAX_ANNOTATION_CHARACTERS = 64 * 1024;

/** A template read from a file, before it is created. */
export interface TemplateFile {
  readonly template: NewTemplate;
  readonly samples: readonly TemplateSample[];
}

/** Thrown for a file that contains no template. The message is shown to the user. */
export class TemplateFileError extends Error {
  override readonly name = 'TemplateFileError';
}

/** Whether samples fit into a manifest that kubectl can apply. */
export function isExportable(samples: readonly TemplateSample[]): boolean {
  return JSON.stringify(samples).length <= MAX_ANNOTATION_CHARACTERS;
}

/** Returns a template as a YAML manifest, for `kubectl apply` and `readTemplate`. Omits samples that are too large. */
export function templateYaml(template: Template, samples: readonly TemplateSample[]): string {
  const { id, name, description, status, html, css, schema, default_options, email } = template;
  const annotations = { [SAMPLES_ANNOTATION]: JSON.stringify(samples) };
  const spec = {
    displayName: name,
    description,
    state: status,
    schema,
    defaultOptions: default_options && renamed(default_options, 'name', 'kindName'),
    email,
    eInvoice: template.e_invoice,
    css,
    html,
  };
  const manifest = {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: id, ...(samples.length > 0 && isExportable(samples) && { annotations }) },
    spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null)),
  };
  // kubectl reads YAML 1.1, in which a plain `yes` is a boolean.
  return stringify(manifest, { version: '1.1', lineWidth: 0 });
}

/** Reads a YAML manifest. The service checks the content. Throws TemplateFileError. */
export function readTemplate(yaml: string): TemplateFile {
  const manifest = parseYaml(yaml) as Partial<Manifest> | null;
  if (manifest?.kind !== KIND || manifest.apiVersion !== API_VERSION || !manifest.spec) {
    throw new TemplateFileError(messages.notTemplate);
  }
  const { displayName, state, html, defaultOptions, description, schema, email, css, eInvoice } =
    manifest.spec;
  if (typeof html !== 'string') throw new TemplateFileError(messages.withoutHtml);
  const template = {
    name: displayName,
    description,
    status: state,
    html,
    css,
    schema,
    default_options: defaultOptions && renamed(defaultOptions, 'kindName', 'name'),
    email,
    e_invoice: eInvoice,
  };
  const given = Object.entries(template).filter(([, value]) => value !== undefined);
  return {
    template: Object.fromEntries(given) as NewTemplate,
    samples: samplesOf(manifest.metadata?.annotations?.[SAMPLES_ANNOTATION]),
  };
}

/** Expected structure of a manifest; the types of its fields are unknown. */
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
    throw new TemplateFileError(messages.notYaml((error as Error).message), { cause: error });
  }
}

function samplesOf(annotation: unknown): readonly TemplateSample[] {
  if (typeof annotation !== 'string') return [];
  try {
    return parseJson(annotation) as readonly TemplateSample[];
  } catch (error) {
    throw new TemplateFileError(messages.badSamples, { cause: error });
  }
}

/** Renames options between the API and the kind, which has one margin per side. The service rejects unknown options. */
function renamed(
  values: object,
  from: 'name' | 'kindName',
  to: 'name' | 'kindName',
  options: readonly Option[] = OPTIONS,
): object {
  const known = new Map(options.map((option) => [option[from], option]));
  const members = Object.entries(values).map(([name, value]) => {
    const option = known.get(name);
    if (!option) return [name, value];
    const whole = expanded(option, value);
    return [option[to], isObject(whole) ? renamed(whole, from, to, option.members) : whole];
  });
  return Object.fromEntries(members) as object;
}
