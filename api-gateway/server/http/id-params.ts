import { Type } from 'typebox';

/** The `:id` of a path. Its form is not checked: an invalid id is not found. */
export const IdParams = Type.Object({ id: Type.String({ description: 'Id.' }) });
