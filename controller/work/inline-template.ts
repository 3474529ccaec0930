import {
  UNNAMED_TEMPLATE,
  type GenerationJobSpec,
  type InlineTemplate,
  type ObjectMeta,
  type ObjectRef,
  type TemplateSpec,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Revision } from '@trifold/platform/templating/revisions/revision.ts';
import { checkTemplate } from '../templates/template-check.ts';
import { WorkError } from './work-error.ts';

/** Revision and version that a job or batch renders, regardless of later changes to its template. */
export interface Pinned {
  readonly revision: string;
  /** Undefined for an inline template. */
  readonly version?: number;
  /** The document's e-invoice. */
  readonly attachmentsRef?: ObjectRef;
}

/** A valid inline template. */
export interface UsableInline {
  readonly spec: TemplateSpec;
  readonly revision: Revision;
}

/** Checks a template in a job or batch as if it were a Template. Throws WorkError `template_invalid`. */
export async function usableInline(
  dependencies: { readonly store: ObjectStore; readonly checker: TemplateChecker },
  metadata: ObjectMeta,
  template: InlineTemplate,
): Promise<UsableInline> {
  const spec = { displayName: UNNAMED_TEMPLATE, ...template };
  const { revision, message } = await checkTemplate(dependencies, { metadata, spec });
  if (!revision) throw new WorkError('template_invalid', `${INLINE} cannot be used: ${message}`);
  return { spec, revision };
}

const INLINE = 'the inline template';

/** Name of a job's template in messages. */
export function templateNoun({ templateRef }: Pick<GenerationJobSpec, 'templateRef'>): string {
  return templateRef ? `template ${templateRef.name}` : INLINE;
}
