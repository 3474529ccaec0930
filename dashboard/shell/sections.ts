import type { Scope } from '@trifold/client';
import type { IconName } from '../components/content/icon.tsx';
import { text } from '../messages/text.ts';

/** A part of the dashboard with an entry in the navigation. */
interface Section {
  /** Path below /dashboard, without a trailing slash; empty for the start page. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** An additional path that belongs to the section. */
  readonly otherPath?: string;
  /** Scope without which the section is hidden. */
  readonly scope?: Scope;
}

const { navigation } = text;

export const SECTIONS: readonly Section[] = [
  { path: '', label: navigation.start, icon: 'home' },
  { path: '/templates', label: navigation.templates, icon: 'templates', scope: 'templates:read' },
  {
    path: '/documents',
    label: navigation.documents,
    icon: 'document',
    otherPath: '/batches',
    scope: 'documents:generate',
  },
  { path: '/emails', label: navigation.emails, icon: 'email', scope: 'documents:generate' },
  { path: '/webhooks', label: navigation.webhooks, icon: 'webhook', scope: 'webhooks:read' },
  { path: '/keys', label: navigation.keys, icon: 'key', scope: 'api-keys:read' },
  { path: '/requests', label: navigation.requests, icon: 'requests', scope: 'usage:read' },
  { path: '/usage', label: navigation.usage, icon: 'usage', scope: 'usage:read' },
];

/** Returns the section that a page belongs to. `path`: the page's, below /dashboard. */
export function sectionOf(path: string): Section | undefined {
  return SECTIONS.find((section) =>
    [section.path, section.otherPath].some((own) => own === path || (own && path.startsWith(`${own}/`))),
  );
}
