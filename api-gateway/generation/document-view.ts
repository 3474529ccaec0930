import { StringEnum } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import type { StoredDocument } from './documents.ts';

/** A generation as the API shows it (interface, "Generation (document)"). */
export const DocumentView = Type.Object({
  id: Type.String(),
  status: StringEnum(['pending', 'processing', 'completed', 'failed']),
  template_id: Type.String(),
  file_url: Type.Optional(Type.String({ description: 'Where the file is; once completed.' })),
  status_url: Type.String(),
  file_size: Type.Optional(Type.Integer({ description: 'Bytes.' })),
  created_at: Type.String(),
  expires_at: Type.String(),
  render_time_ms: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});
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
