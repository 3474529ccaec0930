import { ProblemPlace } from '@trifold/crds';
import { Type } from 'typebox';

/** Fields of an error in a document or batch. */
export const ERROR_MEMBERS = ['code', 'message', 'part', 'line', 'column'] as const;

/** Returns the schema of the error of a document, item or batch. */
export function documentProblem(description: string) {
  return Type.Object(
    {
      code: Type.String({ description: 'Stable code for programs.' }),
      message: Type.String({ description: 'Human-readable message.' }),
      ...ProblemPlace.properties,
    },
    { description },
  );
}
