import { PUBLISHED_ANNOTATION, TEMPLATE, TEMPLATES_PER_PAGE, type Template } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';
import { FreshList } from '../server/fresh-list/fresh-list.ts';
import { placedResource } from '../server/pagination/page.ts';
import type { ListedTemplate } from './template-body.ts';
import { listedOf } from './template-mapping.ts';

/** Digits of a version; the API server accepts any string. */
const MAX_VERSION_DIGITS = 16;

/**
 * List entries for all templates in all accounts; without this cache, each page would read every template with its
 * HTML. A change that another gateway makes to an existing template may show up a few milliseconds later.
 */
export class TemplateCache extends FreshList<Template, ListedTemplate> {
  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    super({
      client: kubernetes.resource<Template>(TEMPLATE),
      noun: 'template list',
      transform: listedTemplate,
      placed: (template) => placedResource(template, listedOf),
      pageSize: TEMPLATES_PER_PAGE,
      entryBytes: BOUNDS.listedTemplates.limit.value,
      clock,
      logger,
    });
  }
}

/** Keeps only what a list entry needs. */
export function listedTemplate({ apiVersion, kind, metadata, spec }: Template): Template {
  const { displayName, description, state, changedAt, email } = spec;
  const published = metadata.annotations?.[PUBLISHED_ANNOTATION]?.slice(0, MAX_VERSION_DIGITS);
  return {
    apiVersion,
    kind,
    metadata: {
      ...identityMetadata(metadata),
      ...(published !== undefined && { annotations: { [PUBLISHED_ANNOTATION]: published } }),
    },
    spec: {
      displayName,
      ...(description !== undefined && { description }),
      ...(state !== undefined && { state }),
      ...(changedAt !== undefined && { changedAt }),
      // Its strings may be long.
      ...(email && { email: { subject: '' } }),
    },
  };
}
