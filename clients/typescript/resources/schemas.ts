import type { components, operations } from '../openapi.ts';

/** Bodies, answers and events by their names in the OpenAPI document of the service. */
export type Schemas = components['schemas'];

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** The query of an operation. A member that is undefined is not sent. */
export type Query<Name extends keyof operations> = {
  readonly [Parameter in keyof QueryOf<Name>]?: QueryOf<Name>[Parameter] | undefined;
};
