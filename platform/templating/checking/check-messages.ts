import type { EInvoice } from '@trifold/crds';
import type { BoundedRequest } from '../../child-process/serve-parent.ts';
import type { BodyReading } from '../../request-body/large-body.ts';
import type { MappingProblem } from '../../e-invoices/create-e-invoice.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Violation } from '../schema/data-schema.ts';
import type { SyntaxProblem } from '../syntax/syntax.ts';
import type { DataLimits } from './apply-schema.ts';
import type { CheckedDocuments, EInvoiceRequest } from './created-e-invoices.ts';

/** Reason why a data schema is invalid. */
export interface SchemaProblem {
  /** Paths below `/schema`; at least one. */
  readonly violations: readonly Violation[];
  /** Whether the schema itself is valid and only some defaults do not match their own fields. */
  readonly defaultsOnly: boolean;
  /** Whether the check ended at its time limit: a later check may find no problem. @default false */
  readonly timedOut?: boolean;
}

/** Data to apply a schema to. */
export interface DataRequest {
  /** The schema as JSON. */
  readonly schema: string;
  /** Each document's data as JSON text, and the JSON Pointer prefix of its violations. */
  readonly items: readonly { readonly json: Uint8Array; readonly pointer: string }[];
  readonly limits: DataLimits;
  /** The e-invoice to create from each document's data. @default none */
  readonly eInvoice?: EInvoiceRequest;
}

/** Result of a DataRequest. */
export type DataReply = CheckedDocuments | { readonly status: 'not_an_object' | 'nests_too_deep' };

/** The checks that a check process supports, with the fields of each request and reply. */
export interface Checks {
  /** Parses Handlebars source: a template's HTML, a part of an email, a header or a footer. */
  readonly syntax: {
    readonly request: { readonly text: string };
    readonly reply: { readonly problem?: SyntaxProblem };
  };
  /** Compiles a data schema and its patterns, and checks its defaults. */
  readonly schema: {
    readonly request: {
      /** As JSON: sending a string to a process takes less time than sending an object. */
      readonly schema: string;
    };
    readonly reply: { readonly problem?: SchemaProblem };
  };
  /** Checks an e-invoice mapping. */
  readonly eInvoice: {
    readonly request: { readonly spec: EInvoice };
    readonly reply: { readonly problems: readonly MappingProblem[] };
  };
  /** Writes the content of a revision as canonical JSON. */
  readonly revision: {
    readonly request: {
      /** RevisionContent as JSON. */
      readonly content: string;
    };
    readonly reply: Pick<Revision, 'sha256' | 'body'>;
  };
  /** Applies a data schema to the data of one request. */
  readonly data: { readonly request: DataRequest; readonly reply: DataReply };
  /** Parses a request body and, when `withFingerprint`, computes its fingerprint. */
  readonly body: {
    readonly request: { readonly bytes: Uint8Array; readonly withFingerprint: boolean };
    readonly reply: BodyReading;
  };
}

export type CheckKind = keyof Checks;

/** Message to a check process. */
export type CheckRequest<K extends CheckKind = CheckKind> = {
  [Kind in K]: { readonly kind: Kind } & BoundedRequest & Checks[Kind]['request'];
}[K];

/** Message from a check process. */
export type CheckReply<K extends CheckKind = CheckKind> = Checks[K]['reply'];
