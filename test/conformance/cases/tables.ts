import type { Cases } from '../case.ts';
import {
  apiKey,
  batch,
  generationJob,
  get,
  LABELLED,
  mergePatch,
  object,
  post,
  TABLE,
  template,
} from './requests.ts';

/** Tables, which `kubectl get` shows. */
export const TABLES: Cases = {
  'a template is a row of a table': [post('templates', template('a')), get('templates', TABLE)],
  'conditions, numbers and strings of the status are cells': [
    post('templates', template('a')),
    mergePatch('templates/a/status', {
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'DoesNotCompile',
            message: 'm',
            lastTransitionTime: '2026-11-21T03:05:00Z',
          },
        ],
      },
    }),
    get('templates/a', TABLE),
    post('generationjobs', generationJob('g')),
    mergePatch('generationjobs/g/status', {
      status: { phase: 'Completed', pages: 2, size: 1000, renderTimeMs: 12, version: 3, attempt: 1 },
    }),
    get('generationjobs', TABLE),
    post('apikeys', apiKey('k', { scopes: ['templates:read', 'usage:read'] })),
    mergePatch('apikeys/k/status', { status: { lastUsedAt: '2001-01-01T00:00:00Z' } }),
    get('apikeys', TABLE),
    post('batches', batch('b', { total: 3 })),
    mergePatch('batches/b/status', {
      status: {
        phase: 'Completed',
        completed: 2,
        failed: 1,
        items: [
          { index: 0, phase: 'Completed', size: 7 },
          { index: 2, phase: 'Completed', size: 7 },
          { index: 1, phase: 'Failed', error: { code: 'print_failed', message: 'm' } },
        ],
      },
    }),
    get('batches', TABLE),
    post('usagereports', object('UsageReport', '2026-11-21', { day: '2026-11-21' })),
    mergePatch('usagereports/2026-11-21/status', {
      status: {
        live: 7,
        test: 1,
        failed: 2,
        pages: 19,
        bytes: 81000,
        batches: 1,
        emails: { live: 30, test: 4 },
        pendingCount: 0,
        countedAt: '2001-01-01T00:00:00Z',
        uncounted: { work: 5 },
      },
    }),
    get('usagereports', TABLE),
    post(
      'webhookendpoints',
      object('WebhookEndpoint', 'account', {
        url: 'https://hooks.example.com/',
        sealedSecret: { keyId: '0123456789abcdef', ciphertext: 'AAAA' },
      }),
    ),
    mergePatch('webhookendpoints/account/status', {
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'Failing',
            message: 'it answered 503',
            lastTransitionTime: '2001-01-01T00:00:00Z',
          },
        ],
        lastDelivery: { at: '2001-01-01T00:00:00Z', delivered: false, durationMs: 7 },
        failingSince: '2001-01-01T00:00:00Z',
        pending: 4,
        spooled: 2,
      },
    }),
    get('webhookendpoints', TABLE),
    post(
      'webhookdeliveries',
      object('WebhookDelivery', 'whd-1', {
        event: { id: 'evt-1', type: 'document.failed', createdAt: '2026-11-21T12:00:00Z', payload: '{}' },
        endpointRef: { name: 'account', uid: 'u-1' },
        subject: { kind: 'GenerationJob', name: 'gen-1', uid: 'u-2' },
      }),
    ),
    mergePatch('webhookdeliveries/whd-1/status', {
      status: {
        phase: 'Pending',
        attemptCount: 2,
        lastStatus: 503,
        lastError: { code: 'http_error', message: 'the endpoint returned 503' },
        nextAttemptAt: '2026-11-21T12:06:00.000Z',
      },
    }),
    get('webhookdeliveries', TABLE),
  ],
  'includeObject selects whether a row contains the object, its metadata or neither': [
    post('templates', template('a')),
    get('templates?includeObject=Object', TABLE),
    get('templates?includeObject=Metadata', TABLE),
    get('templates?includeObject=None', TABLE),
    get('templates?includeObject=Some', TABLE),
  ],
  'a table supports pages and selectors like a list': [
    ...LABELLED,
    get('templates?limit=1', TABLE),
    get('templates?limit=5&continue=$token1', TABLE),
    get('templates?fieldSelector=spec.state=draft', TABLE),
    get('templates?labelSelector=app=z', TABLE),
  ],
  'an error is a Status even if the client requests a Table': [get('templates/a', TABLE)],
};
