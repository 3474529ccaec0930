import { TEMPLATE } from '@trifold/crds';
import { Controller, type Reconciler } from '@trifold/platform/kubernetes/controller/controller.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Caches } from '../caches.ts';
import type { ControllerContext } from '../context.ts';
import { TemplateHistoryReconciler } from './template-history-reconciler.ts';
import { TemplateReconciler } from './template-reconciler.ts';

/** Templates are not urgent; low concurrency leaves capacity for jobs that users are waiting for. */
const CONCURRENCY = 4;

/** Creates the controllers that check templates and keep their versions. */
export function templateControllers(context: ControllerContext, { templates: cache }: Caches): Controller[] {
  const { kubernetes, store, clock, events, config, checkPool, shared } = context;
  const templates = kubernetes.resource(TEMPLATE);
  const checker = new TemplateChecker(checkPool);
  const controller = (name: string, reconciler: Reconciler) =>
    new Controller({ ...shared, name, concurrency: CONCURRENCY, reconciler }).watches(cache);
  return [
    controller('template', new TemplateReconciler({ templates, cache, store, checker, events, clock })),
    controller(
      'template-history',
      new TemplateHistoryReconciler({
        templates,
        cache,
        store,
        clock,
        keptVersions: config.templateVersions,
      }),
    ),
  ];
}
