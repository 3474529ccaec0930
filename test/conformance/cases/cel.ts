import { CUSTOM_KINDS, type KindDefinition } from '@trifold/crds';
import type { Cases, JsonObject } from '../case.ts';
import { apiKey, batch, DIGEST, mergePatch, object, post, template } from './requests.ts';

type Change = [member: string, value: JsonObject[string]];

/** An object to check against the rules of its kind: a change of `was` if it is set, else a creation. */
export interface RuleCase {
  readonly kind: string;
  readonly what: string;
  readonly was?: JsonObject;
  readonly is: JsonObject;
}

const REF = { key: 'k', sha256: DIGEST, size: 1 };
const OTHER_DIGEST = 'b'.repeat(64);

const FULL_JOB: JsonObject = {
  templateRef: { name: 'invoice' },
  revision: DIGEST,
  version: 1,
  dataRef: REF,
  format: 'pdf',
  options: { pageSize: 'a4', margins: { top: '1in' } },
  filename: 'a.pdf',
  clientMetadata: { order: 'A-17' },
  callbackURL: 'https://hooks.example.com/',
  mode: 'live',
  keyId: 'key-1',
  expiresAt: '2026-11-21T03:05:00Z',
};

const CHANGED: readonly Change[] = [
  ['templateRef', { name: 'other' }],
  ['revision', OTHER_DIGEST],
  ['version', 2],
  ['dataRef', { ...REF, size: 2 }],
  ['options', { pageSize: 'a4', margins: { top: '2in' } }],
  ['filename', 'b.pdf'],
  ['clientMetadata', { order: 'A-18' }],
  ['callbackURL', 'https://hooks.example.com/other'],
  ['keyId', 'key-2'],
  ['expiresAt', '2026-11-21T03:05:01Z'],
];

const OPTIONAL = [
  'revision',
  'version',
  'options',
  'filename',
  'clientMetadata',
  'callbackURL',
  'keyId',
  'expiresAt',
] as const;
const SMALL_JOB: JsonObject = { templateRef: { name: 'invoice' }, dataRef: REF, format: 'pdf', mode: 'live' };

const { html: _html, ...EMPTY_TEMPLATE } = (template('x') as { spec: JsonObject }).spec;
const API_KEY = apiKey('x')['spec'] as JsonObject;
const DAY: JsonObject = { day: '2026-11-21' };

/** Options with so many characters of HTML more than allowed. */
function htmlOf(more: number): JsonObject {
  const text = (length: number) => ({ content: '\u{1f4c4}'.repeat(length) });
  return {
    header: { ...text(8192), first: text(8192), even: {} },
    footer: { enabled: true, last: text(8192), odd: text(8192 + more) },
  };
}
const CUSTOM = { pageSize: 'custom', width: '4in', height: '6in' };
const SIZES: readonly [what: string, options: JsonObject][] = [
  ['a custom page with width and height', CUSTOM],
  ['a custom page without width and height', { pageSize: 'custom' }],
  ['a custom page without a height', { pageSize: 'custom', width: '4in' }],
  ['width and height of a named page size', { ...CUSTOM, pageSize: 'a4' }],
  ['width and height without a page size', { width: '4in', height: '6in' }],
  ['the longest HTML', htmlOf(0)],
  ['one character of HTML too many', htmlOf(1)],
  ['no page size', { scale: 1.5, header: { enabled: true, content: '{{page}}' } }],
];
const BATCH = batch('x')['spec'] as JsonObject;

const INLINE = { html: '<p>' };
const { templateRef: _templateRef, revision: _revision, version: _version, ...BARE_BATCH } = BATCH;
const LARGEST_INLINE = { html: '\u{1f4c4}'.repeat(65_000), css: 'x'.repeat(536) };
const TEMPLATES: readonly [what: string, members: JsonObject][] = [
  ['templateRef with revision and version', { templateRef: { name: 'a' }, revision: DIGEST, version: 1 }],
  ['templateRef alone', { templateRef: { name: 'a' } }],
  ['revision alone', { revision: DIGEST }],
  ['an inline template alone', { template: INLINE }],
  ['no template', {}],
  ['templateRef and an inline template', { templateRef: { name: 'a' }, template: INLINE }],
  ['revision and an inline template', { revision: DIGEST, template: INLINE }],
  ['the largest inline template', { template: LARGEST_INLINE }],
  [
    'an inline template with one character too many',
    { template: { ...LARGEST_INLINE, css: 'x'.repeat(537) } },
  ],
];

/** A job and a batch whose members of the template are these. */
function templateCases(what: string, members: JsonObject): RuleCase[] {
  return [
    { kind: 'GenerationJob', what, is: { data: {}, ...members } },
    { kind: 'Batch', what, is: { ...BARE_BATCH, ...members } },
  ];
}

const FULL_METADATA = { [`\u{1f4c4}${'n'.repeat(39)}`]: '\u{1f4c4}'.repeat(984) };
const METADATA: readonly [what: string, metadata: JsonObject][] = [
  ['no metadata', {}],
  ['the largest metadata', FULL_METADATA],
  ['metadata with one character too many', { ...FULL_METADATA, '': '1' }],
  ['metadata with a longer name', { ['n'.repeat(41)]: '1' }],
];

/** A hundred items, each with as much metadata as possible. */
const FULL_ITEMS = Array.from({ length: 100 }, (_, index) => ({
  index,
  filename: '\u{1f4c4}'.repeat(255),
  clientMetadata: Object.fromEntries(
    Array.from({ length: 20 }, (_member, number) => [String(number).padStart(40, 'n'), 'v'.repeat(11)]),
  ),
}));

const CHANGED_BATCH: readonly Change[] = [
  ['templateRef', { name: 'other' }],
  ['revision', OTHER_DIGEST],
  ['version', 2],
  ['itemsRef', { prefix: 'q/', size: 1 }],
  ['total', 2],
  ['items', [{ index: 0, filename: 'b.pdf', clientMetadata: { order: 'A-18' } }]],
  ['clientMetadata', { order: 'A-18' }],
  ['options', { pageSize: 'a4' }],
  ['mode', 'test'],
  ['keyId', 'key-2'],
  ['expiresAt', '2026-11-21T03:05:01Z'],
];

const ENDPOINT: JsonObject = {
  url: 'https://hooks.example.com/',
  sealedSecret: { keyId: '0123456789abcdef', ciphertext: 'AAAA' },
  source: 'zapier',
};
const OTHER_ENDPOINT: JsonObject = {
  ...ENDPOINT,
  url: 'https://hooks.example.com/other',
  events: ['document.failed'],
  sealedSecret: { keyId: 'fedcba9876543210', ciphertext: 'BBBB' },
  previousSealedSecret: { keyId: '0123456789abcdef', ciphertext: 'AAAA', until: '2026-11-22T12:00:00Z' },
};

const EVENT: JsonObject = {
  id: 'evt-1',
  type: 'document.completed',
  createdAt: '2026-11-21T12:00:00Z',
  payload: '{}',
};
const DELIVERY: JsonObject = { event: EVENT, endpointRef: { name: 'account', uid: 'u-1' } };
const CALLBACK: JsonObject = { event: EVENT, url: 'https://hooks.example.com/' };
const CHANGED_DELIVERY: readonly Change[] = [
  ['event', { ...EVENT, payload: '{"a":1}' }],
  ['endpointRef', { name: 'account', uid: 'u-2' }],
  ['subject', { kind: 'Batch', name: 'b', uid: 'u-3' }],
  ['sequence', 1],
  ['once', true],
];

/** Valid and invalid objects for every rule of every kind, for API servers and for the predicates in crds/. */
export const RULES: readonly RuleCase[] = [
  { kind: 'Template', what: 'html alone', is: { ...EMPTY_TEMPLATE, html: '<p>' } },
  { kind: 'Template', what: 'empty html', is: { ...EMPTY_TEMPLATE, html: '' } },
  { kind: 'Template', what: 'sourceRef alone', is: { ...EMPTY_TEMPLATE, sourceRef: REF } },
  { kind: 'Template', what: 'neither html nor sourceRef', is: EMPTY_TEMPLATE },
  {
    kind: 'Template',
    what: 'html and sourceRef',
    is: { ...EMPTY_TEMPLATE, html: '', sourceRef: REF },
  },
  { kind: 'Template', what: 'css alone', is: { ...EMPTY_TEMPLATE, css: 'p{}' } },
  {
    kind: 'Template',
    what: 'a move of html to the object store',
    was: { ...EMPTY_TEMPLATE, html: '<p>' },
    is: { ...EMPTY_TEMPLATE, sourceRef: REF },
  },
  {
    kind: 'Template',
    what: 'a removal of html',
    was: { ...EMPTY_TEMPLATE, html: '<p>' },
    is: EMPTY_TEMPLATE,
  },
  ...SIZES.flatMap(([what, options]) => [
    {
      kind: 'Template',
      what,
      is: { ...EMPTY_TEMPLATE, html: '', defaultOptions: options },
    },
    { kind: 'GenerationJob', what, is: { ...SMALL_JOB, options } },
    { kind: 'Batch', what, is: { ...BATCH, options } },
    ...templateCases(`an inline template with ${what}`, { template: { ...INLINE, defaultOptions: options } }),
  ]),
  ...TEMPLATES.flatMap(([what, members]) => templateCases(what, members)),
  ...(['GenerationJob', 'Batch'] as const).map((kind) => {
    const was = kind === 'Batch' ? { ...BARE_BATCH, template: INLINE } : { data: {}, template: INLINE };
    return { kind, what: 'a change of the inline template', was, is: { ...was, template: { html: '<b>' } } };
  }),
  ...METADATA.flatMap(([what, clientMetadata]) => [
    {
      kind: 'GenerationJob',
      what,
      is: { ...SMALL_JOB, clientMetadata },
    },
    { kind: 'Batch', what, is: { ...BATCH, clientMetadata } },
    {
      kind: 'Batch',
      what: `an item with ${what}`,
      is: { ...BATCH, items: [{ index: 0 }, { index: 1, clientMetadata }] },
    },
  ]),
  {
    kind: 'Batch',
    what: 'another TTL with the largest items',
    was: { ...BATCH, items: FULL_ITEMS },
    is: { ...BATCH, items: FULL_ITEMS, ttlSecondsAfterFinished: 5 },
  },
  {
    kind: 'Batch',
    what: 'items in the same order',
    was: { ...BATCH, items: [{ index: 3, filename: 'a.pdf' }, { index: 1 }] },
    is: { ...BATCH, items: [{ index: 3, filename: 'a.pdf' }, { index: 1 }] },
  },
  ...CHANGED_BATCH.map(([member, value]) => ({
    kind: 'Batch',
    what: `a change of ${member}`,
    was: BATCH,
    is: { ...BATCH, [member]: value },
  })),
  {
    kind: 'Batch',
    what: 'a change of the TTL',
    was: BATCH,
    is: { ...BATCH, ttlSecondsAfterFinished: 5 },
  },
  { kind: 'GenerationJob', what: 'empty data', is: { templateRef: { name: 'a' }, data: {} } },
  {
    kind: 'GenerationJob',
    what: 'data with members',
    is: { templateRef: { name: 'a' }, data: { a: [1] } },
  },
  {
    kind: 'GenerationJob',
    what: 'dataRef alone',
    is: { templateRef: { name: 'a' }, dataRef: REF },
  },
  {
    kind: 'GenerationJob',
    what: 'neither data nor dataRef',
    is: { templateRef: { name: 'a' } },
  },
  {
    kind: 'GenerationJob',
    what: 'data and dataRef',
    is: { templateRef: { name: 'a' }, data: {}, dataRef: REF },
  },
  { kind: 'GenerationJob', what: 'an update without a change', was: FULL_JOB, is: FULL_JOB },
  {
    kind: 'GenerationJob',
    what: 'a change of the TTL',
    was: FULL_JOB,
    is: { ...FULL_JOB, ttlSecondsAfterFinished: 5 },
  },
  {
    kind: 'GenerationJob',
    what: 'another order of members',
    was: FULL_JOB,
    is: { ...FULL_JOB, options: { margins: { top: '1in' }, pageSize: 'a4' } },
  },
  ...CHANGED.map(([member, value]) => ({
    kind: 'GenerationJob',
    what: `a change of ${member}`,
    was: FULL_JOB,
    is: { ...FULL_JOB, [member]: value },
  })),
  ...OPTIONAL.map((member) => ({
    kind: 'GenerationJob',
    what: `an addition of ${member}`,
    was: SMALL_JOB,
    is: { ...SMALL_JOB, [member]: FULL_JOB[member] },
  })),
  ...OPTIONAL.map((member) => ({
    kind: 'GenerationJob',
    what: `a removal of ${member}`,
    was: FULL_JOB,
    is: Object.fromEntries(Object.entries(FULL_JOB).filter(([name]) => name !== member)),
  })),
  {
    kind: 'GenerationJob',
    what: 'a replacement of dataRef by data',
    was: SMALL_JOB,
    is: { templateRef: { name: 'invoice' }, data: {}, format: 'pdf', mode: 'live' },
  },
  {
    kind: 'ApiKey',
    what: 'a change of name and scopes',
    was: API_KEY,
    is: { ...API_KEY, name: 'B', scopes: [] },
  },
  { kind: 'ApiKey', what: 'a change of mode', was: API_KEY, is: { ...API_KEY, mode: 'test' } },
  {
    kind: 'ApiKey',
    what: 'a change of the hash',
    was: API_KEY,
    is: { ...API_KEY, sha256: OTHER_DIGEST },
  },
  {
    kind: 'ApiKey',
    what: 'a change of the last four characters',
    was: API_KEY,
    is: { ...API_KEY, lastFour: 'wxyz' },
  },
  { kind: 'UsageReport', what: 'an update without a change', was: DAY, is: DAY },
  { kind: 'UsageReport', what: 'a change of the day', was: DAY, is: { day: '2026-11-22' } },
  {
    kind: 'WebhookEndpoint',
    what: 'a change of URL, events and secrets',
    was: ENDPOINT,
    is: OTHER_ENDPOINT,
  },
  {
    kind: 'WebhookEndpoint',
    what: 'a change of source',
    was: ENDPOINT,
    is: { ...ENDPOINT, source: 'make' },
  },
  { kind: 'WebhookDelivery', what: 'endpointRef alone', is: DELIVERY },
  { kind: 'WebhookDelivery', what: 'url alone', is: CALLBACK },
  { kind: 'WebhookDelivery', what: 'neither endpointRef nor url', is: { event: EVENT } },
  {
    kind: 'WebhookDelivery',
    what: 'both endpointRef and url',
    is: { ...DELIVERY, ...CALLBACK },
  },
  { kind: 'WebhookDelivery', what: 'an update without a change', was: DELIVERY, is: DELIVERY },
  ...CHANGED_DELIVERY.map(([member, value]) => ({
    kind: 'WebhookDelivery',
    what: `a change of ${member}`,
    was: DELIVERY,
    is: { ...DELIVERY, [member]: value },
  })),
];

export function kindOf(rule: RuleCase): KindDefinition {
  return CUSTOM_KINDS.find(({ kind }) => kind === rule.kind) as KindDefinition;
}

/** Returns the name of a test of the rule. */
export function ruleName({ kind, what }: RuleCase): string {
  return `rules of ${kind}: ${what}`;
}

/** The rules as cases for an API server. */
export const CEL: Cases = Object.fromEntries(
  RULES.map((rule) => {
    const path = kindOf(rule).plural;
    const created = post(path, object(rule.kind, 'x', rule.was ?? rule.is));
    if (!rule.was) return [ruleName(rule), [created]];
    return [ruleName(rule), [created, mergePatch(`${path}/x`, { spec: difference(rule.was, rule.is) })]];
  }),
);

/** Returns the merge patch from one object to another. */
function difference(was: JsonObject, is: JsonObject): JsonObject {
  const removed = Object.keys(was).filter((member) => !(member in is));
  return { ...Object.fromEntries(removed.map((member) => [member, null])), ...is };
}
