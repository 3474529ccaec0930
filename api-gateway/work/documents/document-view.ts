import { StringEnum, Timestamp } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import type { StoredDocument } from './documents.ts';

/** A generation as the API shows it (interface, "Generation (document)"). */
export const DocumentView = Type.Object(
  {
    id: Type.String({ description: 'Id of the document.' }),
    status: StringEnum(['pending', 'processing', 'completed', 'failed'], {
      description: 'How far it is; the last two are final.',
    }),
    template_id: Type.String({ description: 'The template it is made of.' }),
    file_url: Type.Optional(Type.String({ description: 'Path of the file; once completed.' })),
    status_url: Type.String({ description: 'Path of this status.' }),
    file_size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes; once completed.' })),
    created_at: Timestamp({ description: 'When the request was accepted.' }),
    expires_at: Timestamp({ description: 'When the file is deleted: 24 hours later.' }),
    render_time_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How long rendering took, milliseconds; once completed.' }),
    ),
    error: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why it failed; once failed.' },
      ),
    ),
  },
  { title: 'Document', description: 'A document and how far it is.' },
);
export type DocumentView = Static<typeof DocumentView>;

/** The document in the words of the API. URLs are relative to the service (interface, same place). */
export function viewOf(document: StoredDocument): DocumentView {
  const { facts, status, result, error } = document;
  const statusUrl = statusUrlOf(facts.job);
  return {
    id: facts.job,
    status,
    template_id: facts.template,
    ...(result && {
      file_url: `${statusUrl}/download`,
      file_size: result.size,
      render_time_ms: result.renderTimeMs,
    }),
    status_url: statusUrl,
    created_at: facts.createdAt,
    expires_at: facts.expiresAt,
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

/** Where the status of a document is polled. */
export function statusUrlOf(id: string): string {
  return `/v1/generate/${id}`;
}
