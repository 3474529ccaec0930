import { isDeepStrictEqual } from 'node:util';
import type { Condition, Template, TemplateStatus } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { observed } from '@trifold/platform/kubernetes/controller/observed.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { checkTemplate, type TemplateFinding } from './template-check.ts';

export interface TemplateDependencies {
  readonly templates: Pick<ResourceClient<Template>, 'find' | 'replaceStatus'>;
  /** Reduced templates. */
  readonly cache: { get(namespace: string | undefined, name: string): Template | undefined };
  readonly store: ObjectStore;
  readonly checker: TemplateChecker;
  readonly events: Pick<EventRecorder, 'warn'>;
  readonly clock: Clock;
}

/** Delay before a missing source is looked up again: it may be stored later, and no event reports that. */
const MISSING_SOURCE_RECHECK_MS = 60_000;

/**
 * A check that hit its time limit may succeed when the machine is less busy. The delay before the next check is the
 * time since the template became unready, clamped to these limits, so that a template that is slow to check costs
 * little.
 */
const TIMED_OUT_RECHECK_MS = { least: 60_000, most: 3_600_000 };

/** Writes each template's Ready condition to its status, with the position and reason of a problem. */
export class TemplateReconciler implements Reconciler {
  readonly #d: TemplateDependencies;

  constructor(dependencies: TemplateDependencies) {
    this.#d = dependencies;
  }

  async reconcile({ namespace, name }: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const cached = this.#d.cache.get(namespace, name);
    if (!isDue(cached)) return;
    const template = await this.#d.templates.find(namespace, name, signal);
    if (!isDue(template)) return;
    const finding = await checkTemplate(this.#d, template);
    const now = this.#d.clock.now();
    const status = statusOf(template, finding, now);
    if (!isDeepStrictEqual(status, template.status)) await this.#write(template, status, signal);
    if (finding.reason === 'SourceMissing') return { requeueAfterMs: MISSING_SOURCE_RECHECK_MS };
    if (finding.timedOut) return { requeueAfterMs: recheckDelay(status, now) };
  }

  async #write(template: Template, status: TemplateStatus, signal: AbortSignal): Promise<void> {
    try {
      const written = await this.#d.templates.replaceStatus({ ...template, status }, signal);
      const ready = readyOf(status);
      if (ready?.status === 'False') this.#d.events.warn(written, ready.reason, ready.message);
    } catch (error) {
      // Deleted in the meantime.
      if (!(error instanceof KubernetesApiError && error.code === 404)) throw error;
    }
  }
}

/** Returns the Ready condition. */
export function readyOf(status: TemplateStatus | undefined): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

/** Whether the template exists and has not been found valid. */
function isDue(template: Template | undefined): template is Template {
  return template !== undefined && template.metadata.deletionTimestamp === undefined && !isSettled(template);
}

/** Whether this version was already found valid; its content never changes. */
function isSettled({ metadata, status }: Template): boolean {
  const ready = readyOf(status);
  const isCurrent = ready?.status === 'True' && ready.observedGeneration === metadata.generation;
  return isCurrent && status?.revision !== undefined;
}

function recheckDelay(status: TemplateStatus, now: Date): number {
  const since = readyOf(status)?.lastTransitionTime ?? '';
  const { least, most } = TIMED_OUT_RECHECK_MS;
  return Math.min(most, Math.max(least, now.getTime() - Date.parse(since)));
}

function statusOf(template: Template, finding: TemplateFinding, now: Date): TemplateStatus {
  const { reason, message, revision, error } = finding;
  const { history } = template.status ?? {};
  const ready = {
    type: 'Ready',
    status: reason === 'Compiled' ? 'True' : 'False',
    reason,
    message,
  } as const;
  return {
    ...observed(template, [ready], now),
    version: template.metadata.generation,
    ...(revision && { revision: revision.sha256 }),
    ...(error && { error }),
    ...(history && { history }),
  };
}
