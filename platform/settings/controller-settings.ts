import type { Settings } from './setting.ts';
import { flag, wholeNumber } from './setting-types.ts';

/** Controller settings: retention of finished work. */
export const CONTROLLER = {
  TRIFOLD_TTL_SECONDS_AFTER_FINISHED: {
    type: wholeNumber(0, 86_400),
    common: true,
    default: '600',
    doc: 'Number of seconds for which a finished job or batch remains visible in `kubectl get`, unless it sets its own time to live. With a custom name, it remains at least until its files expire. If there are too many, the oldest are deleted earlier (`TRIFOLD_FINISHED_JOBS_PER_ACCOUNT`).',
    chart: { value: 'controller.config.ttlSecondsAfterFinished' },
  },
  TRIFOLD_KEEP_FAILED_DATA: {
    type: flag,
    default: 'true',
    doc: "`true`: the data and options of failed documents, except cancelled ones and batch items, are kept for as long as files, and count toward the account's stored bytes. `false`: they are deleted with the finished job, or earlier.",
    chart: { value: 'controller.config.keepFailedData' },
  },
  TRIFOLD_FINISHED_JOBS_PER_ACCOUNT: {
    type: wholeNumber(0, 1_000_000),
    default: '500',
    doc: 'Number of finished jobs and batches per account that are kept for `TRIFOLD_TTL_SECONDS_AFTER_FINISHED`. Beyond this number, the oldest are deleted earlier, but not within ten seconds of finishing. Jobs that set their own time to live, or that `/v1` cannot find without their resource, are not deleted earlier.',
    chart: { value: 'controller.config.finishedJobsPerAccount' },
  },
  TRIFOLD_FINISHED_JOBS: {
    type: wholeNumber(0, 1_000_000),
    default: '5000',
    doc: 'Like `TRIFOLD_FINISHED_JOBS_PER_ACCOUNT`, but for all accounts together.',
    chart: { value: 'controller.config.finishedJobs' },
  },
  TRIFOLD_TEMPLATE_VERSIONS: {
    type: wholeNumber(1, 1_000),
    default: '100',
    doc: 'Number of latest versions to keep for each template, 1 to 1000. The published version is always kept.',
    chart: { value: 'controller.config.templateVersions' },
  },
} as const satisfies Settings;
