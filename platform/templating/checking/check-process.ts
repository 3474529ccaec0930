/** Entry point of a process that checks callers' input. */
import type { TemplateSchema } from '@trifold/crds';
import { serveParent } from '../../child-process/serve-parent.ts';
import { findSyntaxProblem } from '../syntax/syntax.ts';
import { revisionOfContent, type RevisionContent } from '../revisions/revision.ts';
import { readLargeBody } from '../../request-body/large-body.ts';
import { answerData } from './answer-data.ts';
import type { CheckKind, CheckReply, CheckRequest } from './check-messages.ts';
import { findSchemaProblem } from './schema-problem.ts';

const ANSWERS: { readonly [K in CheckKind]: (request: CheckRequest<K>) => CheckReply<K> } = {
  syntax({ text }) {
    const problem = findSyntaxProblem(text);
    return problem ? { problem } : {};
  },
  schema({ schema }) {
    const problem = findSchemaProblem(JSON.parse(schema) as TemplateSchema);
    return problem ? { problem } : {};
  },
  revision({ content }) {
    const { sha256, body } = revisionOfContent(JSON.parse(content) as RevisionContent);
    return { sha256, body };
  },
  data: answerData,
  body: ({ bytes, withFingerprint }) => readLargeBody(bytes, withFingerprint),
};

serveParent((request: CheckRequest) => {
  const answer = ANSWERS[request.kind] as (request: CheckRequest) => CheckReply;
  return answer(request);
});
