import { Type } from 'typebox';

/** The `:id` of a path. What is no id of anything is simply not found. */
export const IdParams = Type.Object({ id: Type.String({ description: 'Its id.' }) });
