import { expect } from 'vitest';
import type { Api, GenerationResponse } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';

/** Number of requests per call of `promisedDocuments`. */
const REQUESTS = 60;

/** A document that the service promised with a 202 or completed with a 200. */
export interface PromisedDocument {
  readonly id: string;
  readonly name: string;
  readonly status: number;
}

/**
 * Sends synchronous and asynchronous requests; for some, the service may already be gone. Returns every document that
 * the service has promised.
 */
export async function promisedDocuments(
  live: Pick<Api, 'post'>,
  template: string,
  tag: string,
  onAnswer: (count: number) => void,
): Promise<PromisedDocument[]> {
  const promised: PromisedDocument[] = [];
  await Promise.all(
    Array.from({ length: REQUESTS }, async (_, index) => {
      const name = `${tag} ${index}`;
      const body = { template_id: template, data: { name }, async: index % 2 === 0 };
      const response = await live.post('/v1/generate', body).catch(() => undefined);
      if (!response) return;
      expect([200, 202], response.text).toContain(response.status);
      promised.push({ id: response.json<GenerationResponse>().id, name, status: response.status });
      onAnswer(promised.length);
    }),
  );
  return promised;
}

/** Expects the service to have every document and never to render a completed one again. */
export async function expectKept(live: Api, promised: readonly PromisedDocument[]): Promise<void> {
  const completed = promised.filter(({ status }) => status === 200);
  const responses = await Promise.all(completed.map(({ id }) => live.get(`/v1/generate/${id}`)));
  for (const response of responses)
    expect(response.json(), response.text).toMatchObject({ status: 'completed' });
  for (const { id, name } of promised) {
    expect(await live.finished(id)).toMatchObject({ id, status: 'completed' });
    const file = await live.get(`/v1/generate/${id}/download`);
    expect(file.status, file.text.slice(0, 300)).toBe(200);
    expect(await textOf(file.bytes)).toBe(name);
  }
}
