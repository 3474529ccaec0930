import { CUSTOM_KINDS, type KindDefinition } from '@trifold/crds';
import type { Case, JsonObject } from '../case.ts';
import { apiKey, batch, create, DIGEST, invalid, made, mergePatch, template } from './requests.ts';

type Change = [member: string, value: JsonObject[string]];

/** An object to check against the rules of its kind: a change of `was` if it is set, else a creation. */
export interface RuleCase {
  readonly kind: string;
  readonly what: string;
  readonly was?: JsonObject;
  readonly is: JsonObject;
  readonly holds: boolean;
  /** Path of the rule. @default `spec` */
  readonly path?: string;
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

const CUSTOM = { pageSize: 'custom', width: '4in', height: '6in' };
const SIZES: readonly [what: string, options: JsonObject, holds: boolean][] = [
  ['a custom page with width and height', CUSTOM, true],
  ['a custom page without width and height', { pageSize: 'custom' }, false],
  ['a custom page without a height', { pageSize: 'custom', width: '4in' }, false],
  ['width and height of a named page size', { ...CUSTOM, pageSize: 'a4' }, false],
  ['width and height without a page size', { width: '4in', height: '6in' }, false],
  ['no page size', { scale: 1.5, header: { enabled: true, content: '{{page}}' } }, true],
];
const BATCH = batch('x')['spec'] as JsonObject;

const FULL_METADATA = { [`\u{1f4c4}${'n'.repeat(39)}`]: '\u{1f4c4}'.repeat(984) };
const METADATA: readonly [what: string, metadata: JsonObject, holds: boolean][] = [
  ['no metadata', {}, true],
  ['the largest metadata', FULL_METADATA, true],
  ['metadata with one character too many', { ...FULL_METADATA, '': '1' }, false],
  ['metadata with a longer name', { ['n'.repeat(41)]: '1' }, false],
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
  { kind: 'Template', what: 'html alone', is: { ...EMPTY_TEMPLATE, html: '<p>' }, holds: true },
  { kind: 'Template', what: 'empty html', is: { ...EMPTY_TEMPLATE, html: '' }, holds: true },
  { kind: 'Template', what: 'sourceRef alone', is: { ...EMPTY_TEMPLATE, sourceRef: REF }, holds: true },
  { kind: 'Template', what: 'neither html nor sourceRef', is: EMPTY_TEMPLATE, holds: false },
  {
    kind: 'Template',
    what: 'html and sourceRef',
    is: { ...EMPTY_TEMPLATE, html: '', sourceRef: REF },
    holds: false,
  },
  { kind: 'Template', what: 'css alone', is: { ...EMPTY_TEMPLATE, css: 'p{}' }, holds: false },
  {
    kind: 'Template',
    what: 'a move of html to the object store',
    was: { ...EMPTY_TEMPLATE, html: '<p>' },
    is: { ...EMPTY_TEMPLATE, sourceRef: REF },
    holds: true,
  },
  {
    kind: 'Template',
    what: 'a removal of html',
    was: { ...EMPTY_TEMPLATE, html: '<p>' },
    is: EMPTY_TEMPLATE,
    holds: false,
  },
  ...SIZES.flatMap(([what, options, holds]) => [
    {
      kind: 'Template',
      what,
      is: { ...EMPTY_TEMPLATE, html: '', defaultOptions: options },
      holds,
      path: 'spec.defaultOptions',
    },
    { kind: 'GenerationJob', what, is: { ...SMALL_JOB, options }, holds, path: 'spec.options' },
    { kind: 'Batch', what, is: { ...BATCH, options }, holds, path: 'spec.options' },
  ]),
  ...METADATA.flatMap(([what, clientMetadata, holds]) => [
    {
      kind: 'GenerationJob',
      what,
      is: { ...SMALL_JOB, clientMetadata },
      holds,
      path: 'spec.clientMetadata',
    },
    { kind: 'Batch', what, is: { ...BATCH, clientMetadata }, holds, path: 'spec.clientMetadata' },
    {
      kind: 'Batch',
      what: `an item with ${what}`,
      is: { ...BATCH, items: [{ index: 0 }, { index: 1, clientMetadata }] },
      holds,
    },
  ]),
  {
    kind: 'Batch',
    what: 'another TTL with the largest items',
    was: { ...BATCH, items: FULL_ITEMS },
    is: { ...BATCH, items: FULL_ITEMS, ttlSecondsAfterFinished: 5 },
    holds: true,
  },
  {
    kind: 'Batch',
    what: 'items in the same order',
    was: { ...BATCH, items: [{ index: 3, filename: 'a.pdf' }, { index: 1 }] },
    is: { ...BATCH, items: [{ index: 3, filename: 'a.pdf' }, { index: 1 }] },
    holds: true,
  },
  ...CHANGED_BATCH.map(([member, value]) => ({
    kind: 'Batch',
    what: `a change of ${member}`,
    was: BATCH,
    is: { ...BATCH, [member]: value },
    holds: false,
  })),
  {
    kind: 'Batch',
    what: 'a change of the TTL',
    was: BATCH,
    is: { ...BATCH, ttlSecondsAfterFinished: 5 },
    holds: true,
  },
  { kind: 'GenerationJob', what: 'empty data', is: { templateRef: { name: 'a' }, data: {} }, holds: true },
  {
    kind: 'GenerationJob',
    what: 'data with members',
    is: { templateRef: { name: 'a' }, data: { a: [1] } },
    holds: true,
  },
  {
    kind: 'GenerationJob',
    what: 'dataRef alone',
    is: { templateRef: { name: 'a' }, dataRef: REF },
    holds: true,
  },
  {
    kind: 'GenerationJob',
    what: 'neither data nor dataRef',
    is: { templateRef: { name: 'a' } },
    holds: false,
  },
  {
    kind: 'GenerationJob',
    what: 'data and dataRef',
    is: { templateRef: { name: 'a' }, data: {}, dataRef: REF },
    holds: false,
  },
  { kind: 'GenerationJob', what: 'an update without a change', was: FULL_JOB, is: FULL_JOB, holds: true },
  {
    kind: 'GenerationJob',
    what: 'a change of the TTL',
    was: FULL_JOB,
    is: { ...FULL_JOB, ttlSecondsAfterFinished: 5 },
    holds: true,
  },
  {
    kind: 'GenerationJob',
    what: 'another order of members',
    was: FULL_JOB,
    is: { ...FULL_JOB, options: { margins: { top: '1in' }, pageSize: 'a4' } },
    holds: true,
  },
  ...CHANGED.map(([member, value]) => ({
    kind: 'GenerationJob',
    what: `a change of ${member}`,
    was: FULL_JOB,
    is: { ...FULL_JOB, [member]: value },
    holds: false,
  })),
  ...OPTIONAL.map((member) => ({
    kind: 'GenerationJob',
    what: `an addition of ${member}`,
    was: SMALL_JOB,
    is: { ...SMALL_JOB, [member]: FULL_JOB[member] },
    holds: false,
  })),
  ...OPTIONAL.map((member) => ({
    kind: 'GenerationJob',
    what: `a removal of ${member}`,
    was: FULL_JOB,
    is: Object.fromEntries(Object.entries(FULL_JOB).filter(([name]) => name !== member)),
    holds: false,
  })),
  {
    kind: 'GenerationJob',
    what: 'a replacement of dataRef by data',
    was: SMALL_JOB,
    is: { templateRef: { name: 'invoice' }, data: {}, format: 'pdf', mode: 'live' },
    holds: false,
  },
  {
    kind: 'ApiKey',
    what: 'a change of name and scopes',
    was: API_KEY,
    is: { ...API_KEY, name: 'B', scopes: [] },
    holds: true,
  },
  { kind: 'ApiKey', what: 'a change of mode', was: API_KEY, is: { ...API_KEY, mode: 'test' }, holds: false },
  {
    kind: 'ApiKey',
    what: 'a change of the hash',
    was: API_KEY,
    is: { ...API_KEY, sha256: OTHER_DIGEST },
    holds: false,
  },
  {
    kind: 'ApiKey',
    what: 'a change of the last four characters',
    was: API_KEY,
    is: { ...API_KEY, lastFour: 'wxyz' },
    holds: false,
  },
  { kind: 'UsageReport', what: 'an update without a change', was: DAY, is: DAY, holds: true },
  { kind: 'UsageReport', what: 'a change of the day', was: DAY, is: { day: '2026-11-22' }, holds: false },
  {
    kind: 'WebhookEndpoint',
    what: 'a change of URL, events and secrets',
    was: ENDPOINT,
    is: OTHER_ENDPOINT,
    holds: true,
  },
  {
    kind: 'WebhookEndpoint',
    what: 'a change of source',
    was: ENDPOINT,
    is: { ...ENDPOINT, source: 'make' },
    holds: false,
  },
  { kind: 'WebhookDelivery', what: 'endpointRef alone', is: DELIVERY, holds: true },
  { kind: 'WebhookDelivery', what: 'url alone', is: CALLBACK, holds: true },
  { kind: 'WebhookDelivery', what: 'neither endpointRef nor url', is: { event: EVENT }, holds: false },
  {
    kind: 'WebhookDelivery',
    what: 'both endpointRef and url',
    is: { ...DELIVERY, ...CALLBACK },
    holds: false,
  },
  { kind: 'WebhookDelivery', what: 'an update without a change', was: DELIVERY, is: DELIVERY, holds: true },
  ...CHANGED_DELIVERY.map(([member, value]) => ({
    kind: 'WebhookDelivery',
    what: `a change of ${member}`,
    was: DELIVERY,
    is: { ...DELIVERY, [member]: value },
    holds: false,
  })),
];

export function kindOf(rule: RuleCase): KindDefinition {
  return CUSTOM_KINDS.find(({ kind }) => kind === rule.kind) as KindDefinition;
}

/** Returns the name of a test of the rule. */
export function ruleName({ kind, what, holds }: RuleCase): string {
  return `${kind} ${holds ? 'accepts' : 'rejects'} ${what}`;
}

/** The rules as cases for an API server. */
export const CEL_CASES: readonly Case[] = RULES.map((rule) => {
  const path = kindOf(rule).plural;
  const object = (spec: JsonObject) => ({
    apiVersion: 'trifold.dev/v1alpha1',
    kind: rule.kind,
    metadata: { name: 'x' },
    spec,
  });
  const rejected = invalid(`${rule.path ?? 'spec'}: FieldValueInvalid`);
  const name = ruleName(rule);
  if (!rule.was)
    return { name, steps: [create(path, object(rule.is), rule.holds ? { code: 201 } : rejected)] };
  return {
    name,
    steps: [
      made(path, object(rule.was)),
      mergePatch(`${path}/x`, { spec: difference(rule.was, rule.is) }, rule.holds ? { code: 200 } : rejected),
    ],
  };
});

/** Returns the merge patch from one object to another. */
function difference(was: JsonObject, is: JsonObject): JsonObject {
  const removed = Object.keys(was).filter((member) => !(member in is));
  return { ...Object.fromEntries(removed.map((member) => [member, null])), ...is };
}
