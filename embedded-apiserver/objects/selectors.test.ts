import { describe, expect, it } from 'vitest';
import { StatusError } from './status-error.ts';
import { fieldAt, parseFieldSelector, parseLabelSelector } from './selectors.ts';
import type { StoredObject } from './stored-object.ts';

function object(labels: Record<string, string>, rest: object = {}): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-11-21T12:00:00Z',
      labels,
    },
    ...rest,
  };
}

describe('Label selector', () => {
  const red = object({ team: 'red', tier: '3' });
  const none = object({});

  it.each([
    ['team=red', true, false],
    ['team==red', true, false],
    ['team!=red', false, true],
    ['team', true, false],
    ['!team', false, true],
    ['team in (blue, red)', true, false],
    ['team in (blue)', false, false],
    ['team notin (blue,red)', false, true],
    ['team=red,tier=3', true, false],
    ['team=red,tier=4', false, false],
    ['team in (red,blue),tier', true, false],
    [' team = red , tier ', true, false],
    ['team=', false, false],
    ['example.com/part=x', false, false],
  ])('matches as in Kubernetes: %s', (text, matchesRed, matchesNone) => {
    const matches = parseLabelSelector(text);
    expect([matches?.(red), matches?.(none)]).toEqual([matchesRed, matchesNone]);
  });

  it('selects everything when it is empty', () => {
    expect(parseLabelSelector('')).toBeUndefined();
  });

  it.each(['team===red', 'team in red', '=red', 'a b', 'team=re d', 'team in (red', 'tier>x', ',', '-x=y'])(
    'rejects an invalid selector with 400: %s',
    (text) => {
      expect(() => parseLabelSelector(text)).toThrow(StatusError);
    },
  );
});

describe('Field selector', () => {
  const fields = new Map([
    ['metadata.name', fieldAt(['metadata', 'name'])],
    ['status.phase', fieldAt(['status', 'phase'])],
  ]);
  const pending = object({}, { status: { phase: 'Pending' } });

  it.each([
    ['status.phase=Pending', true],
    ['status.phase==Pending', true],
    ['status.phase!=Pending', false],
    ['status.phase=', false],
    ['metadata.name=a,status.phase=Pending', true],
    ['metadata.name=b,status.phase=Pending', false],
    [String.raw`status.phase=Pend\,ing`, false],
  ])('compares values as text: %s', (text, expected) => {
    expect(parseFieldSelector(text, fields)?.matches(pending)).toBe(expected);
  });

  it('treats a missing value as empty text', () => {
    expect(parseFieldSelector('status.phase=', fields)?.matches(object({}))).toBe(true);
  });

  it('reports the only name that can match', () => {
    expect(parseFieldSelector('metadata.name=a', fields)?.name).toBe('a');
    expect(parseFieldSelector('metadata.name!=a', fields)?.name).toBeUndefined();
  });

  it.each(['spec.nothing=x', 'status.phase', 'status.phase in (a)'])(
    'rejects an unsupported selector with 400: %s',
    (text) => {
      expect(() => parseFieldSelector(text, fields)).toThrow(StatusError);
    },
  );
});
