/** Entry point of a process that checks callers' input. */
import type { TemplateSchema } from '@trifold/crds';
import { eInvoiceProblems } from '../../e-invoices/create-e-invoice.ts';
import { serveParent } from '../../child-process/serve-parent.ts';
import { findSyntaxProblem } from '../syntax/syntax.ts';
import { revisionOfContent, type RevisionContent } from '../revisions/revision.ts';
import { readLargeBody } from '../../request-body/large-body.ts';
import { checkData } from './check-data.ts';
import { createEInvoices } from './created-e-invoices.ts';
import { checkSupplied } from './supplied-e-invoice.ts';
import type { CheckKind, CheckReply, CheckRequest, SchemaProblem } from './check-messages.ts';
import { DataSchema, DataSchemaError, MAX_VIOLATIONS } from '../schema/data-schema.ts';
import { findDefaultProblems } from '../schema/schema-defaults.ts';

const ANSWERS: { readonly [K in CheckKind]: (request: CheckRequest<K>) => CheckReply<K> } = {
  syntax({ text }) {
    const problem = findSyntaxProblem(text);
    return problem ? { problem } : {};
  },
  schema({ schema }) {
    const problem = findSchemaProblem(JSON.parse(schema) as TemplateSchema);
    return problem ? { problem } : {};
  },
  eInvoice: ({ spec }) => ({ problems: eInvoiceProblems(spec).slice(0, MAX_VIOLATIONS) }),
  revision({ content }) {
    const { sha256, body } = revisionOfContent(JSON.parse(content) as RevisionContent);
    return { sha256, body };
  },
  data: checkData,
  eInvoices: ({ items, eInvoice }) => createEInvoices(items, eInvoice),
  suppliedEInvoice: ({ eInvoice }) => checkSupplied(eInvoice),
  body: ({ bytes, withFingerprint }) => readLargeBody(bytes, withFingerprint),
};

serveParent((request: CheckRequest) => {
  const response = ANSWERS[request.kind] as (request: CheckRequest) => CheckReply;
  return response(request);
});

/** Compiles a schema and checks its defaults. Returns undefined when it is valid. */
function findSchemaProblem(schema: TemplateSchema): SchemaProblem | undefined {
  try {
    void new DataSchema(schema);
  } catch (error) {
    return { violations: violationsOf(error), defaultsOnly: false };
  }
  const violations = findDefaultProblems(schema);
  return violations.length === 0 ? undefined : { violations, defaultsOnly: true };
}

function violationsOf(error: unknown): SchemaProblem['violations'] {
  if (error instanceof DataSchemaError) return error.violations;
  return [{ path: '/schema', message: (error as Error).message }];
}
