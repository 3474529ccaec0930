import { isResourceName, type KubernetesObject } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { ApiError } from '../server/errors/api-error.ts';

/** Reads a template, or its metadata. Throws ApiError `template_not_found` for one that is gone or being deleted. */
export async function existing<R extends KubernetesObject>(
  client: Pick<ResourceClient<R>, 'find'>,
  account: string,
  id: string,
): Promise<R> {
  const template = isResourceName(id) ? await client.find(account, id) : undefined;
  if (!template || template.metadata.deletionTimestamp !== undefined) throw templateNotFound(id);
  return template;
}

/** 404: the caller's account has no such template. */
export function templateNotFound(id: string): ApiError {
  const message = `There is no template ${JSON.stringify(id)} in this account. List the templates with GET /v1/templates.`;
  return new ApiError('template_not_found', message);
}

/** The template's history does not contain the version. 422 if a document request names it. */
export function versionNotFound(id: string, version: string, statusCode: number): ApiError {
  const message = `The template ${id} has no version ${JSON.stringify(version)}. List the stored versions with GET /v1/templates/${id}/versions.`;
  return new ApiError('version_not_found', message, { statusCode });
}
