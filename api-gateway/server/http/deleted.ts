import { Type } from 'typebox';

/** The answer to a DELETE. */
export const Deleted = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'Deleted', description: 'Id of the deleted resource.' },
);
