import type { Case, JsonObject } from '../case.ts';
import { LABELLED } from './reads.ts';
import {
  apiKey,
  BAD_REQUEST,
  batch,
  generationJob,
  get,
  made,
  mergePatch,
  notFound,
  template,
} from './requests.ts';

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

function columns(...names: [name: string, type: string, priority?: number][]): JsonObject[] {
  return names.map(([name, type, priority = 0]) => ({ name, type, priority }));
}

/** Tables, which `kubectl get` shows. */
export const TABLE_CASES: readonly Case[] = [
  {
    name: 'a template is a row of a table',
    steps: [
      made('templates', template('a')),
      get(
        'templates',
        {
          code: 200,
          body: {
            kind: 'Table',
            apiVersion: 'meta.k8s.io/v1',
            columnDefinitions: columns(
              ['Name', 'string'],
              ['Display Name', 'string'],
              ['State', 'string'],
              ['Version', 'integer'],
              ['Ready', 'string'],
              ['Reason', 'string'],
              ['Age', 'date'],
              ['Message', 'string', 1],
            ),
            rows: [
              {
                cells: ['a', 'Invoice', 'active', 1, null, null, '<age>', null],
                object: {
                  kind: 'PartialObjectMetadata',
                  apiVersion: 'meta.k8s.io/v1',
                  metadata: { name: 'a', namespace: '$ns' },
                },
              },
            ],
          },
          absent: ['rows.0.object.spec'],
        },
        { headers: TABLE, save: { rv: 'metadata.resourceVersion' } },
      ),
    ],
  },
  {
    name: 'conditions, numbers and strings of the status are cells',
    steps: [
      made('templates', template('a')),
      mergePatch(
        'templates/a/status',
        {
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
        },
        { code: 200 },
      ),
      get(
        'templates/a',
        {
          code: 200,
          body: {
            kind: 'Table',
            rows: [{ cells: ['a', 'Invoice', 'active', 1, 'False', 'DoesNotCompile', '<age>', 'm'] }],
          },
        },
        { headers: TABLE },
      ),
      made('generationjobs', generationJob('g')),
      mergePatch(
        'generationjobs/g/status',
        { status: { phase: 'Completed', pages: 2, size: 1000, renderTimeMs: 12, version: 3, attempt: 1 } },
        { code: 200 },
      ),
      get(
        'generationjobs',
        {
          code: 200,
          body: {
            columnDefinitions: columns(
              ['Name', 'string'],
              ['Template', 'string'],
              ['Phase', 'string'],
              ['Pages', 'integer'],
              ['Size', 'integer'],
              ['Render ms', 'integer'],
              ['Error', 'string'],
              ['Age', 'date'],
              ['Format', 'string', 1],
              ['Version', 'integer', 1],
              ['Attempt', 'integer', 1],
              ['Message', 'string', 1],
            ),
            rows: [{ cells: ['g', 'invoice', 'Completed', 2, 1000, 12, null, '<age>', 'pdf', 3, 1, null] }],
          },
        },
        { headers: TABLE },
      ),
      made('apikeys', apiKey('k', { scopes: ['templates:read', 'usage:read'] })),
      mergePatch('apikeys/k/status', { status: { lastUsedAt: '2001-01-01T00:00:00Z' } }, { code: 200 }),
      get(
        'apikeys',
        {
          code: 200,
          body: {
            rows: [
              { cells: ['k', 'CI', 'live', 'abcd', '<age>', '<age>', '["templates:read","usage:read"]'] },
            ],
          },
        },
        { headers: TABLE },
      ),
      made('batches', batch('b', { total: 3 })),
      mergePatch(
        'batches/b/status',
        {
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
        },
        { code: 200 },
      ),
      get(
        'batches',
        {
          code: 200,
          body: {
            rows: [{ cells: ['b', 'invoice', 'Completed', 3, 2, 1, '<age>', 'pdf', 1, null] }],
          },
        },
        { headers: TABLE },
      ),
      made('usagereports', {
        apiVersion: 'trifold.dev/v1alpha1',
        kind: 'UsageReport',
        metadata: { name: '2026-11-21' },
        spec: { day: '2026-11-21' },
      }),
      mergePatch(
        'usagereports/2026-11-21/status',
        {
          status: {
            live: 7,
            test: 1,
            failed: 2,
            pages: 19,
            bytes: 81_000,
            batches: 1,
            emails: { live: 30, test: 4 },
            pendingCount: 0,
            countedAt: '2001-01-01T00:00:00Z',
            uncounted: { work: 5 },
          },
        },
        { code: 200 },
      ),
      get(
        'usagereports',
        {
          code: 200,
          body: { rows: [{ cells: ['2026-11-21', 7, 1, 2, 19, 1, 30, '<age>', 5, 81_000, 0, '<age>'] }] },
        },
        { headers: TABLE },
      ),
      made('webhookendpoints', {
        apiVersion: 'trifold.dev/v1alpha1',
        kind: 'WebhookEndpoint',
        metadata: { name: 'account' },
        spec: {
          url: 'https://hooks.example.com/',
          sealedSecret: { keyId: '0123456789abcdef', ciphertext: 'AAAA' },
        },
      }),
      mergePatch(
        'webhookendpoints/account/status',
        {
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
        },
        { code: 200 },
      ),
      get(
        'webhookendpoints',
        {
          code: 200,
          body: {
            rows: [
              {
                cells: [
                  'account',
                  'https://hooks.example.com/',
                  'False',
                  'Failing',
                  4,
                  2,
                  '<age>',
                  '<age>',
                  '<age>',
                  'none',
                  null,
                  '0123456789abcdef',
                  'it answered 503',
                ],
              },
            ],
          },
        },
        { headers: TABLE },
      ),
      made('webhookdeliveries', {
        apiVersion: 'trifold.dev/v1alpha1',
        kind: 'WebhookDelivery',
        metadata: { name: 'whd-1' },
        spec: {
          event: {
            id: 'evt-1',
            type: 'document.failed',
            createdAt: '2026-11-21T12:00:00Z',
            payload: '{}',
          },
          endpointRef: { name: 'account', uid: 'u-1' },
          subject: { kind: 'GenerationJob', name: 'gen-1', uid: 'u-2' },
        },
      }),
      mergePatch(
        'webhookdeliveries/whd-1/status',
        {
          status: {
            phase: 'Pending',
            attemptCount: 2,
            lastStatus: 503,
            lastError: { code: 'http_error', message: 'the endpoint answered 503' },
            nextAttemptAt: '2026-11-21T12:06:00.000Z',
          },
        },
        { code: 200 },
      ),
      get(
        'webhookdeliveries',
        {
          code: 200,
          body: {
            rows: [
              {
                cells: [
                  'whd-1',
                  'document.failed',
                  'account',
                  'Pending',
                  2,
                  503,
                  'http_error',
                  '2026-11-21T12:06:00.000Z',
                  '<age>',
                  'gen-1',
                  null,
                  'the endpoint answered 503',
                ],
              },
            ],
          },
        },
        { headers: TABLE },
      ),
    ],
  },
  {
    name: 'includeObject selects whether a row contains the object, its metadata or neither',
    steps: [
      made('templates', template('a')),
      get(
        'templates',
        { code: 200, body: { rows: [{ object: { kind: 'Template', spec: { displayName: 'Invoice' } } }] } },
        { headers: TABLE, query: { includeObject: 'Object' } },
      ),
      get(
        'templates',
        { code: 200, body: { rows: [{ object: { kind: 'PartialObjectMetadata' } }] } },
        { headers: TABLE, query: { includeObject: 'Metadata' } },
      ),
      get(
        'templates',
        {
          code: 200,
          body: { rows: [{ cells: ['a', 'Invoice', 'active', 1, null, null, '<age>', null] }] },
          absent: ['rows.0.object.metadata'],
        },
        { headers: TABLE, query: { includeObject: 'None' } },
      ),
      get('templates', BAD_REQUEST, { headers: TABLE, query: { includeObject: 'Some' } }),
    ],
  },
  {
    name: 'a table supports pages and selectors like a list',
    steps: [
      ...LABELLED,
      get(
        'templates',
        { code: 200, body: { metadata: { remainingItemCount: 2 }, rows: [{}] } },
        { headers: TABLE, query: { limit: '1' }, save: { token: 'metadata.continue' } },
      ),
      get(
        'templates',
        {
          code: 200,
          body: { rows: [{ object: { metadata: { name: 'b' } } }, { object: { metadata: { name: 'c' } } }] },
          absent: ['metadata.continue'],
        },
        { headers: TABLE, query: { limit: '5', continue: '$token' } },
      ),
      get(
        'templates',
        { code: 200, body: { rows: [{ object: { metadata: { name: 'c' } } }] } },
        { headers: TABLE, query: { fieldSelector: 'spec.state=draft' } },
      ),
      get(
        'templates',
        { code: 200, body: { rows: [] } },
        { headers: TABLE, query: { labelSelector: 'app=z' } },
      ),
    ],
  },
  {
    name: 'an error is a Status even if the client requests a Table',
    steps: [get('templates/a', notFound('a'), { headers: TABLE })],
  },
];
