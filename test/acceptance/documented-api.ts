import { expect } from 'vitest';
import { Api, type Answer, type SendOptions } from '../support/api.ts';
import { DocumentedAnswers } from '../support/documented-answers.ts';

const documents = new Map<string, Promise<DocumentedAnswers>>();

/** A client that checks every response against the OpenAPI document of the service. */
export class DocumentedApi extends Api {
  override async send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const answer = await super.send(method, path, options);
    await expectDocumented(this.url, method, path, answer);
    return answer;
  }
}

/** Returns a fetch that checks every response of the service against its OpenAPI document. */
export function documentedFetch(url: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { pathname, search } = new URL(new Request(input).url);
    const { status, headers } = response;
    const text = await response.clone().text();
    await expectDocumented(url, init?.method ?? 'GET', pathname + search, { status, headers, text });
    return response;
  };
}

async function expectDocumented(
  url: string,
  method: string,
  path: string,
  { status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>,
): Promise<void> {
  const reading = documents.get(url) ?? read(url);
  documents.set(url, reading);
  const header = (name: string) => headers.get(name) ?? undefined;
  const problems = (await reading).problemsOf({ method, path, status, header, text });
  expect(problems, `${method} ${path}\n${text.slice(0, 1000)}`).toEqual([]);
}

async function read(url: string): Promise<DocumentedAnswers> {
  const answer = await new Api(url).get('/v1/openapi.json');
  expect(answer.status, answer.text).toBe(200);
  return new DocumentedAnswers(answer.json<object>());
}
