import type { EInvoice } from '@trifold/crds';
import type { ChildProcessError } from '../../child-process/child-process-error.ts';
import type { BoundedRequest } from '../../child-process/serve-parent.ts';
import type { BodyReading } from '../../request-body/large-body.ts';
import type { MappingProblem } from '../../e-invoices/create-e-invoice.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Violation } from '../schema/data-schema.ts';
import type { SyntaxProblem } from '../syntax/syntax.ts';
import type { AppliedSchema, DataLimits } from './apply-schema.ts';
import type { CheckedJson } from './checked-json.ts';
import type { CreatedEInvoices, EInvoiceRequest } from './created-e-invoices.ts';
import type { SuppliedEInvoice, SuppliedEInvoiceReply } from './supplied-e-invoice.ts';

/** Reason why a data schema is invalid. */
export interface SchemaProblem {
  /** Paths below `/schema`; at least one. */
  readonly violations: readonly Violation[];
  /** Whether the schema itself is valid and only some defaults do not match their own fields. */
  readonly defaultsOnly: boolean;
  /** Whether the check ended at its time limit: a later check may find no problem. @default false */
  readonly timedOut?: boolean;
}

/** A check that exceeded its limits because of what it checked. */
export interface ExceededLimit {
  readonly status: 'too_slow' | 'out_of_memory';
  readonly cause: ChildProcessError;
}

/** Data to apply a schema to. */
export interface DataRequest {
  /** The schema as JSON. */
  readonly schema: string;
  readonly items: readonly CheckedJson[];
  readonly limits: DataLimits;
}

/** Result of a DataRequest. */
export type DataReply = AppliedSchema | { readonly status: 'not_an_object' | 'nests_too_deep' };

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
  /** Writes a revision's content as canonical JSON. */
  readonly revision: {
    readonly request: {
      /** RevisionContent as JSON. */
      readonly content: string;
    };
    readonly reply: Pick<Revision, 'sha256' | 'body'>;
  };
  /** Applies a data schema to the data of one request. */
  readonly data: { readonly request: DataRequest; readonly reply: DataReply };
  /** Creates an e-invoice from each document's valid data. */
  readonly eInvoices: {
    readonly request: { readonly items: readonly CheckedJson[]; readonly eInvoice: EInvoiceRequest };
    readonly reply: CreatedEInvoices;
  };
  /** Checks an e-invoice that a caller wrote. */
  readonly suppliedEInvoice: {
    readonly request: { readonly eInvoice: SuppliedEInvoice };
    readonly reply: SuppliedEInvoiceReply;
  };
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
