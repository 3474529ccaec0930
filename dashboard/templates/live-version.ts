import type { Template } from '@trifold/client';

/** The dashboard's name for a stored version: the newest version is saved, and documents use the published version. */
export type VersionName = 'saved' | 'published';

/** Returns the version that documents use by default: the published one, or else the saved one. */
export function liveVersion({ version, published_version: published }: Template): {
  readonly version: number;
  readonly name: VersionName;
} {
  return published === undefined ? { version, name: 'saved' } : { version: published, name: 'published' };
}
