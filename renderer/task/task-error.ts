import { DocumentError } from '@trifold/platform/service/document-error.ts';

/** A failure that ends a task. Its code and message reach the caller, so the message must not contain document data. */
export class TaskError extends DocumentError {}
