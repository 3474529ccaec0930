import { text } from 'node:stream/consumers';
import { CUSTOM_KINDS, TEMPLATE, type Draft, type GenerationJob, type Template } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import type { Durability } from '@trifold/platform/process/durability.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { EmbeddedControlPlane } from '../control-plane.ts';
import { WatchReader } from './watch-reader.ts';

export const NAMESPACES = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
} as const;

export interface TestPlane {
  readonly plane: EmbeddedControlPlane;
  readonly client: KubernetesClient;
  readonly clock: FakeClock;
  /** Sends a request and reads the response as JSON. */
  call(
    request: ApiRequest,
  ): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: unknown }>;
  watchTemplates(query: Record<string, string>): Promise<WatchReader>;
}

/** Opens a control plane with a manual clock, in memory unless a file is given. */
export async function openTestPlane(
  file = ':memory:',
  clock = new FakeClock(),
  durability: Durability = 'process',
): Promise<TestPlane> {
  const logger = createLogger({ level: 'silent', name: 'control-plane' });
  const plane = await EmbeddedControlPlane.open({ file, kinds: CUSTOM_KINDS, clock, logger, durability });
  const client = new KubernetesClient(plane.transport);
  return {
    plane,
    client,
    clock,
    async call(request) {
      const response = await plane.transport.send(request);
      const body = await text(response.body);
      const isJson = response.headers['content-type'] === 'application/json';
      return { ...response, body: isJson ? (JSON.parse(body) as unknown) : body };
    },
    async watchTemplates(query) {
      const selection = { namespace: 'default' };
      return new WatchReader(
        await client.resource(TEMPLATE).watch(selection, query, new AbortController().signal),
      );
    },
  };
}

export function templateDraft(
  name: string,
  metadata: Partial<Draft<Template>['metadata']> = {},
  spec: Partial<Template['spec']> = {},
): Draft<Template> {
  return {
    metadata: { name, namespace: 'default', ...metadata },
    spec: { displayName: 'A template', html: '<p>{{x}}</p>', ...spec },
  };
}

export function jobDraft(
  name: string,
  metadata: Partial<Draft<Template>['metadata']> = {},
): Draft<GenerationJob> {
  return {
    metadata: { name, namespace: 'default', ...metadata },
    spec: { templateRef: { name: 'invoice' }, data: { qty: 1 } },
  };
}
