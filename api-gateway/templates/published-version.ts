import { PUBLISHED_ANNOTATION, type Template } from '@trifold/crds';
import type { PreparedTemplate, PreparedTemplates } from '../work/admission/prepared-templates.ts';
import type { TemplateRepository } from './template-repository.ts';

export interface VersionSelection {
  readonly templates: TemplateRepository;
  readonly prepared: PreparedTemplates;
}

/**
 * Returns the version that a request names, or else the published one; undefined when that is the current version.
 * Rejects with ApiError `version_not_found` (422).
 */
export async function selectVersion(
  { templates, prepared }: VersionSelection,
  account: string,
  current: Template,
  named?: number,
): Promise<PreparedTemplate | undefined> {
  const { uid, generation, annotations } = current.metadata;
  const version = named === undefined ? annotations?.[PUBLISHED_ANNOTATION] : String(named);
  if (version === undefined || version === String(generation)) return undefined;
  return (
    prepared.find(uid, version) ?? prepared.prepare(account, await templates.formerVersion(current, version))
  );
}
