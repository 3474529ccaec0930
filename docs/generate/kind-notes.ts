import type { Row } from '../markdown-table.ts';

/** Details that a kind's schema does not contain. */
export interface KindNotes {
  /** A sentence that says who creates the resource. */
  readonly writer: string;
  /** A manifest in YAML. */
  readonly example: string;
  /** Condition, status, reasons and meaning. */
  readonly conditions?: readonly Row[];
}

const READY = '`Ready`';
const COMPLETE: Row = [
  '`Complete`',
  'True',
  '`Rendered`',
  'The file is stored; `status.warnings` may list problems.',
];
const FAILED: Row = [
  '`Failed`',
  'True',
  'The error code, such as `DataInvalid`',
  '`status.error` has the [code](../errors.md#errors-of-documents) and the message.',
];

export const KIND_NOTES: Readonly<Record<string, KindNotes>> = {
  Template: {
    writer:
      'Apply it with kubectl, or create it with [`POST /v1/templates`](../api/templates.md#create-a-template).',
    example: `apiVersion: trifold.dev/v1alpha1
kind: Template
metadata:
  name: letter
spec:
  displayName: Letter
  html: <h1>Dear {{name}}</h1>
  css: 'body { font: 12pt sans-serif }'
  schema:
    fields:
      - { name: name, type: string, required: true }
  defaultOptions: { pageSize: a4, margins: { top: 20mm, bottom: 20mm } }
`,
    conditions: [
      [READY, 'True', '`Compiled`', 'The template can be used.'],
      [
        READY,
        'False',
        '`SyntaxError`',
        '`status.error` contains the line and column. If the check exceeded its time limit, it is repeated later.',
      ],
      [
        READY,
        'False',
        '`SchemaInvalid`',
        '`spec.schema` is invalid: the message shows where. If the check exceeded its time limit, it is repeated later.',
      ],
      [
        READY,
        'False',
        '`OptionsInvalid`',
        '`spec.defaultOptions` names an unknown locale or time zone: the message names the field.',
      ],
      [
        READY,
        'False',
        '`SourceMissing`',
        'The object store does not have the content that `sourceRef` describes. Checked again every minute.',
      ],
    ],
  },
  GenerationJob: {
    writer:
      'Create it with kubectl; [`POST /v1/generate`](../api/documents.md#generate-a-document) creates it too.',
    example: `apiVersion: trifold.dev/v1alpha1
kind: GenerationJob
metadata:
  name: letter-to-ada
spec:
  templateRef: { name: letter }
  data: { name: Ada }
  filename: letter.pdf
  options: { pageSize: a4 }
`,
    conditions: [
      [
        '`Accepted`',
        'True',
        '`RevisionPinned`',
        'For a job without `spec.revision`: the data and the template are valid, and the content is fixed.',
      ],
      [
        '`Dispatched`',
        'True',
        '`Queued`, `Rendering`, `Retrying`',
        'Written if the job takes longer than a second (for at most five jobs per second) or is retried.',
      ],
      COMPLETE,
      FAILED,
    ],
  },
  Batch: {
    writer:
      'Create it with [`POST /v1/generate/batch`](../api/batches.md#generate-a-batch-of-documents), which stores the data of the items first.',
    example: `apiVersion: trifold.dev/v1alpha1
kind: Batch
metadata:
  name: bat-01m7yr47s8d1r6v3p0j8yb2n5e
  labels: { trifold.dev/items: '2' }
spec:
  templateRef: { name: letter }
  revision: 0b9f3b0e6d1c4a7f8e2d5c6b7a8990112233445566778899aabbccddeeff0011
  version: 3
  itemsRef: { prefix: letters/batches/bat-01m7yr47s8d1r6v3p0j8yb2n5e/, size: 128 }
  total: 2
  items:
    - { index: 0, filename: ada.pdf }
    - { index: 1, filename: bo.pdf }
`,
    conditions: [
      [
        '`Accepted`',
        'True',
        '`RevisionPinned`',
        'For a batch with an inline template: the template is valid, and its content is fixed.',
      ],
      ['`Dispatched`', 'True', '`Queued`, `Rendering`', 'Written at most once a second.'],
      [
        '`Complete`',
        'True',
        '`Rendered`',
        'The files are stored; `status.items[].warnings` may list problems.',
      ],
      ['`Complete`', 'True', '`SomeFailed`', 'Some items failed; `status.items` has the reasons.'],
      [
        '`Failed`',
        'True',
        'The error code, such as `AllItemsFailed`',
        '`status.error` has the code and the message.',
      ],
    ],
  },
  WebhookEndpoint: {
    writer:
      'Write it with `trifold webhooks seal` ([how](../platform-engineers.md#webhooks-with-kubectl)); [`/v1`](../api/webhooks.md) creates it too.',
    example: `apiVersion: trifold.dev/v1alpha1
kind: WebhookEndpoint
metadata:
  name: shop
spec:
  url: https://shop.example.com/events
  events: [document.completed, document.failed]
  sealedSecret:
    keyId: 1f0a6f7c2e106b1c
    ciphertext: bm90IGEgcmVhbCBzZWNyZXQ=
`,
    conditions: [
      [
        READY,
        'True',
        '`NotTried`, `Delivering`, `Retrying`',
        'The endpoint works, has not been tried yet, or failed fewer than three times in a row.',
      ],
      [READY, 'False', '`Failing`', 'At least the last three attempts failed: see `status.failingSince`.'],
      [
        READY,
        'False',
        '`SecretNotReadable`',
        '`sealedSecret` was encrypted for a lost key, another endpoint or another account: rotate the secret, or seal it again.',
      ],
      [
        READY,
        'False',
        '`UrlRejected`, `TooManyEndpoints`',
        'Nothing is sent: the URL is not allowed, for example because it is plain HTTP, or the account has 49 older endpoints, not counting the account webhook.',
      ],
      [
        '`Backlogged`',
        'True',
        '`Spooled`',
        'Events wait in the object store, because too many deliveries are pending.',
      ],
      ['`Backlogged`', 'False', '`NothingSpooled`', 'No events are waiting in the object store.'],
    ],
  },
  WebhookDelivery: {
    writer: 'The controller creates it, and the gateway if it is a test.',
    example: `apiVersion: trifold.dev/v1alpha1
kind: WebhookDelivery
metadata:
  name: whd-01m7yrrscg5t7w9y1a3c5e7g9j
spec:
  event:
    id: evt-01m7yrrscg989h59512f7j35hs
    type: document.completed
    createdAt: '2026-11-21T09:59:59.120Z'
    payload: '{"id":"evt-01m7yrrscg989h59512f7j35hs","type":"document.completed"}'
  endpointRef: { name: shop, uid: 6b1c9d0a-3f62-4b8e-9d5f-1f0a6f7c2e10 }
`,
    conditions: [
      ['`Delivered`', 'True', '`Answered`', 'The endpoint returned a 2xx status.'],
      [
        '`Delivered`',
        'False',
        '`Retrying`, `RetryRequested`',
        '`status.nextAttemptAt` is the time of the next attempt.',
      ],
      [
        '`Delivered`',
        'False',
        '`NotDelivered`',
        'All attempts failed; `kubectl annotate whd NAME trifold.dev/retry=1 --overwrite` starts one more attempt. Use a new value each time.',
      ],
      [
        '`Delivered`',
        'False',
        '`EndpointDeleted`, `Superseded`',
        'The delivery failed and cannot be retried.',
      ],
      ['`Exhausted`', 'True', '`NoAttemptLeft`', 'The last attempt failed.'],
      ['`Exhausted`', 'False', '`Delivered`', 'The endpoint returned a 2xx status.'],
    ],
  },
  UsageReport: {
    writer: 'Read it with [`GET /v1/usage`](../api/usage.md#read-usage), which adds `uncounted`.',
    example: `apiVersion: trifold.dev/v1alpha1
kind: UsageReport
metadata:
  name: '2026-11-21'
spec:
  day: '2026-11-21'
`,
  },
  ApiKey: {
    writer:
      'Create it with `npx --no trifold keys create` or [`POST /v1/api-keys`](../api/api-keys.md#create-an-api-key); delete it to revoke the key.',
    example: `apiVersion: trifold.dev/v1alpha1
kind: ApiKey
metadata:
  name: key-01m7yr2b9c4e6g8j0m2p4r6t8v
spec:
  name: Invoices
  mode: live
  scopes: [templates:read, documents:generate]
  sha256: 0b9f3b0e6d1c4a7f8e2d5c6b7a8990112233445566778899aabbccddeeff0011
  lastFour: k3Qx
`,
  },
};
