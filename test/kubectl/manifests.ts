import { stringify } from 'yaml';

/** Objects as users write them in files. */

export function templateYaml(name: string, spec: object = {}, metadata: object = {}): string {
  return yaml('Template', name, { displayName: 'Invoice', html: '<p>{{name}}</p>', ...spec }, metadata);
}

export function generationJobYaml(name: string, spec: object = {}): string {
  return yaml('GenerationJob', name, { templateRef: { name: 'invoice' }, data: { name: 'Ada' }, ...spec });
}

export function batchYaml(name: string, spec: object = {}): string {
  return yaml('Batch', name, {
    templateRef: { name: 'invoice' },
    revision: 'a'.repeat(64),
    version: 1,
    itemsRef: { prefix: `documents/20261121T0305Z/default/${name}/`, size: 20 },
    total: 2,
    ...spec,
  });
}

export function apiKeyYaml(name: string): string {
  const spec = { name: 'CI', scopes: ['usage:read'], mode: 'live', sha256: 'a'.repeat(64), lastFour: 'abcd' };
  return yaml('ApiKey', name, spec);
}

export function eventYaml(namespace: string, template: { name: string; uid: string }): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${template.name}.1` },
    involvedObject: { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', namespace, ...template },
    type: 'Warning',
    reason: 'DoesNotCompile',
    message: 'line 3, column 7: expected a closing brace',
    source: { component: 'trifold-controller' },
    firstTimestamp: '2026-11-21T03:05:00Z',
    lastTimestamp: '2026-11-21T03:05:00Z',
    count: 1,
  });
}

export function conditionPatch(type: string, status: string, reason: string, message = ''): string {
  const lastTransitionTime = '2026-11-21T03:05:00Z';
  return JSON.stringify({
    status: { conditions: [{ type, status, reason, message, lastTransitionTime }] },
  });
}

function yaml(kind: string, name: string, spec: object, metadata: object = {}): string {
  const object = { apiVersion: 'trifold.dev/v1alpha1', kind, metadata: { name, ...metadata }, spec };
  // kubectl reads YAML 1.1, where a bare y is a boolean.
  return stringify(object, { version: '1.1' });
}
