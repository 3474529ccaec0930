import type { Scope } from '@trifold/client';
import { text } from '../messages/text.ts';

/** A part of the dashboard with an entry in the navigation. */
interface Section {
  /** Path below /dashboard, without a slash at its end; empty for the start page. */
  readonly path: string;
  readonly label: string;
  /** Path that belongs to it in addition to its own. */
  readonly otherPath?: string;
  /** Scope without which the section is hidden. */
  readonly scope?: Scope;
}

const { navigation } = text;

export const SECTIONS: readonly Section[] = [
  { path: '', label: navigation.start },
  { path: '/templates', label: navigation.templates, scope: 'templates:read' },
  { path: '/documents', label: navigation.documents, otherPath: '/batches', scope: 'documents:generate' },
  { path: '/emails', label: navigation.emails, scope: 'documents:generate' },
  { path: '/webhooks', label: navigation.webhooks, scope: 'webhooks:read' },
  { path: '/keys', label: navigation.keys, scope: 'api-keys:read' },
  { path: '/usage', label: navigation.usage, scope: 'usage:read' },
];

/** Returns the section that a page belongs to. `path`: the page's, below /dashboard. */
export function sectionOf(path: string): Section | undefined {
  return SECTIONS.find((section) =>
    [section.path, section.otherPath].some((own) => own === path || (own && path.startsWith(`${own}/`))),
  );
}
