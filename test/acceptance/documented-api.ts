import { expect } from 'vitest';
import { Api, type Answer, type SendOptions } from '../support/api.ts';
import { DocumentedAnswers } from '../support/documented-answers.ts';

const documents = new Map<string, Promise<DocumentedAnswers>>();

/** A client that checks every response against the OpenAPI document of the service. */
export class DocumentedApi extends Api {
  override async send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const answer = await super.send(method, path, options);
    const documented = await documentOf(this.url);
    const problems = documented.problemsOf({
      method,
      path,
      status: answer.status,
      header: (name) => answer.headers.get(name) ?? undefined,
      text: answer.text,
    });
    expect(problems, `${method} ${path}\n${answer.text.slice(0, 1000)}`).toEqual([]);
    return answer;
  }
}

/** The document is read once per test file. */
async function documentOf(url: string): Promise<DocumentedAnswers> {
  const reading = documents.get(url) ?? read(url);
  documents.set(url, reading);
  return reading;
}

async function read(url: string): Promise<DocumentedAnswers> {
  const answer = await new Api(url).get('/v1/openapi.json');
  expect(answer.status, answer.text).toBe(200);
  return new DocumentedAnswers(answer.json<object>());
}
