import type { ProtobufField, ProtobufMessage, ProtobufType } from '../encoding/protobuf.ts';

/*
 * Field numbers from generated.proto of meta/v1, core/v1 and coordination/v1. kubectl sends these kinds as protobuf
 * (`create namespace`, `create secret`) and does not fall back to JSON. Answers are always JSON.
 */

function message(fields: Readonly<Record<number, ProtobufField>>): ProtobufMessage {
  return { fields };
}

function one(name: string, type: ProtobufType = 'string'): ProtobufField {
  return { name, type };
}

function list(name: string, type: ProtobufType = 'string'): ProtobufField {
  return { name, type, shape: 'list' };
}

function map(name: string, type: ProtobufType = 'string'): ProtobufField {
  return { name, type, shape: 'map' };
}

const OBJECT_META = message({
  1: one('name'),
  2: one('generateName'),
  3: one('namespace'),
  5: one('uid'),
  6: one('resourceVersion'),
  8: one('creationTimestamp', 'time'),
  9: one('deletionTimestamp', 'time'),
  10: one('deletionGracePeriodSeconds', 'integer'),
  11: map('labels'),
  12: map('annotations'),
  13: list(
    'ownerReferences',
    message({
      1: one('kind'),
      3: one('name'),
      4: one('uid'),
      5: one('apiVersion'),
      6: one('controller', 'boolean'),
      7: one('blockOwnerDeletion', 'boolean'),
    }),
  ),
  14: list('finalizers'),
});

const OBJECT_REFERENCE = message({
  1: one('kind'),
  2: one('namespace'),
  3: one('name'),
  4: one('uid'),
  5: one('apiVersion'),
  6: one('resourceVersion'),
  7: one('fieldPath'),
});

const SCHEMAS: Readonly<Record<string, ProtobufMessage>> = {
  'v1 Namespace': message({
    1: one('metadata', OBJECT_META),
    2: one('spec', message({ 1: list('finalizers') })),
    3: one('status', message({ 1: one('phase') })),
  }),
  'v1 Secret': message({
    1: one('metadata', OBJECT_META),
    2: map('data', 'bytes'),
    3: one('type'),
    4: map('stringData'),
    5: one('immutable', 'boolean'),
  }),
  'v1 Event': message({
    1: one('metadata', OBJECT_META),
    2: one('involvedObject', OBJECT_REFERENCE),
    3: one('reason'),
    4: one('message'),
    5: one('source', message({ 1: one('component'), 2: one('host') })),
    6: one('firstTimestamp', 'time'),
    7: one('lastTimestamp', 'time'),
    8: one('count', 'integer'),
    9: one('type'),
    10: one('eventTime', 'time'),
    11: one('series', message({ 1: one('count', 'integer'), 2: one('lastObservedTime', 'time') })),
    12: one('action'),
    13: one('related', OBJECT_REFERENCE),
    14: one('reportingComponent'),
    15: one('reportingInstance'),
  }),
  'coordination.k8s.io/v1 Lease': message({
    1: one('metadata', OBJECT_META),
    2: one(
      'spec',
      message({
        1: one('holderIdentity'),
        2: one('leaseDurationSeconds', 'integer'),
        3: one('acquireTime', 'time'),
        4: one('renewTime', 'time'),
        5: one('leaseTransitions', 'integer'),
        6: one('strategy'),
        7: one('preferredHolder'),
      }),
    ),
  }),
  'v1 DeleteOptions': message({
    2: one('preconditions', message({ 1: one('uid'), 2: one('resourceVersion') })),
    3: one('orphanDependents', 'boolean'),
    4: one('propagationPolicy'),
    5: list('dryRun'),
  }),
};

/** How a built-in kind is written in protobuf; undefined for kinds that are not (custom resources never are). */
export function protobufSchemaOf(apiVersion: string, kind: string): ProtobufMessage | undefined {
  return SCHEMAS[`${apiVersion} ${kind}`];
}
