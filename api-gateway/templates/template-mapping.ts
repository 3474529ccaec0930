import { PUBLISHED_ANNOTATION, type Template, type TemplateSpec } from '@trifold/crds';
import { createdAtOf } from '../server/pagination/page.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { fromRenderOptions, toRenderOptions } from '../options/api-options.ts';
import type { ListedTemplate, TemplateChange, TemplateEntry, TemplateView } from './template-body.ts';

/**
 * Applies a request to a spec without its source: replaces top-level fields as a whole; null removes a field.
 * `pointer`: where the default options are in the body. Throws ApiError `invalid_request`.
 */
export function changedSpec<Spec extends Partial<TemplateSpec>>(
  before: Spec,
  change: TemplateChange,
  pointer = '/default_options',
): Spec {
  const { name, description, status, schema, default_options, email, e_invoice: eInvoice } = change;
  const defaultOptions = isGiven(default_options)
    ? toRenderOptions(default_options, pointer)
    : default_options;
  const members = { displayName: name, description, state: status, schema, defaultOptions, email, eInvoice };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const after = Object.entries({ ...before, ...Object.fromEntries(given) });
  return Object.fromEntries(after.filter(([, value]) => value !== null)) as Spec;
}

/** Applies a request to the previous source; `css: null` removes the CSS. */
export function changedSource(before: TemplateSource, change: TemplateChange): TemplateSource {
  const css = change.css === undefined ? before.css : change.css;
  return { html: change.html ?? before.html, ...(isGiven(css) && { css }) };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** Returns the time of the last change through the API; without one, the creation time. */
export function updatedAtOf(template: Template): Date {
  // kubectl may have written an invalid time that the API server accepts, such as one with the offset +99:99.
  const changedAt = Date.parse(template.spec.changedAt ?? '');
  return Number.isNaN(changedAt) ? createdAtOf(template) : new Date(changedAt);
}

/** Returns a template as the list shows it. */
function entryOf(template: Template): TemplateEntry {
  const { metadata, spec } = template;
  const published = Number(metadata.annotations?.[PUBLISHED_ANNOTATION] ?? 0);
  return {
    id: metadata.name,
    name: spec.displayName,
    description: spec.description ?? null,
    status: spec.state ?? 'active',
    version: metadata.generation,
    created_at: createdAtOf(template).toISOString(),
    updated_at: updatedAtOf(template).toISOString(),
    ...(Number.isSafeInteger(published) && published > 0 && { published_version: published }),
  };
}

/** Returns a template as the list cache stores it. */
export function listedOf(template: Template): ListedTemplate {
  return { ...entryOf(template), isEmail: template.spec.email !== undefined };
}

/** Returns a template as returned by create, update and single reads. */
export function viewOf(template: Template, source: TemplateSource): TemplateView {
  return { ...entryOf(template), ...partsOf(template.spec, source) };
}

/** Returns the parts of a template, which lists do not show. */
export function partsOf(
  { schema, defaultOptions, email, eInvoice }: TemplateSpec,
  { html, css }: TemplateSource,
) {
  return {
    html,
    css: css ?? null,
    schema: schema ?? null,
    default_options: defaultOptions ? fromRenderOptions(defaultOptions) : null,
    email: email ?? null,
    e_invoice: eInvoice ?? null,
  };
}
