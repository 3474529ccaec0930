import { timeOfId, type Template, type TemplateSpec } from '@trifold/crds';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { fromRenderOptions, toRenderOptions } from '../work/admission/options.ts';
import type { TemplateChange, TemplateEntry, TemplateView } from './template-body.ts';

/** A spec without its source, as a request changes it: top-level members, each whole; null takes one away. */
export function changedSpec<Spec extends Partial<TemplateSpec>>(before: Spec, change: TemplateChange): Spec {
  const { name, description, status, schema, default_options, email } = change;
  const defaultOptions = isGiven(default_options)
    ? toRenderOptions(default_options, '/default_options')
    : default_options;
  const members = { displayName: name, description, state: status, schema, defaultOptions, email };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const after = Object.entries({ ...before, ...Object.fromEntries(given) });
  return Object.fromEntries(after.filter(([, value]) => value !== null)) as Spec;
}

/** A request's source over the one before; css of null takes it away. */
export function changedSource(before: TemplateSource, change: TemplateChange): TemplateSource {
  const css = change.css === undefined ? before.css : change.css;
  return { html: change.html ?? before.html, ...(isGiven(css) && { css }) };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** When a template was made: the time of its id, or of the resource when kubectl named it. */
export function createdAtOf(template: Template): Date {
  return timeOfId(template.metadata.name) ?? new Date(template.metadata.creationTimestamp);
}

/** When it last changed through the API; a template that never did shows when it was made. */
export function updatedAtOf(template: Template): Date {
  // kubectl may have written a text that the API server takes for a time and that is none, such as one with +99:99.
  const changedAt = Date.parse(template.spec.changedAt ?? '');
  return Number.isNaN(changedAt) ? createdAtOf(template) : new Date(changedAt);
}

/** A template as the list shows it. */
export function entryOf(template: Template): TemplateEntry {
  const { metadata, spec } = template;
  return {
    id: metadata.name,
    name: spec.displayName,
    description: spec.description ?? null,
    status: spec.state ?? 'active',
    version: metadata.generation,
    created_at: createdAtOf(template).toISOString(),
    updated_at: updatedAtOf(template).toISOString(),
  };
}

/** A template as create, update and the single read show it. */
export function viewOf(template: Template, source: TemplateSource): TemplateView {
  const { schema, defaultOptions, email } = template.spec;
  return {
    ...entryOf(template),
    html: source.html,
    css: source.css ?? null,
    schema: schema ?? null,
    default_options: defaultOptions ? fromRenderOptions(defaultOptions) : null,
    email: email ?? null,
  };
}
