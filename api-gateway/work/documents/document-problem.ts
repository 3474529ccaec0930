import { JobError } from '@trifold/crds';
import { Type } from 'typebox';

/** Fields of an error in a document or batch. */
export const ERROR_FIELDS = Object.keys(JobError.properties) as readonly (keyof JobError)[];

/** Returns the schema for the error of a document, item or batch. */
export function documentProblem(description: string) {
  return Type.Object(JobError.properties, { description });
}
