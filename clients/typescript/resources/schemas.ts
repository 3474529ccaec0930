import type { components, operations } from '../openapi.ts';

/** Request bodies, responses and events, by their names in the OpenAPI document of the service. */
export type Schemas = components['schemas'];

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Query of an operation. Undefined members are not sent. */
export type Query<Name extends keyof operations> = {
  readonly [Parameter in keyof QueryOf<Name>]?: QueryOf<Name>[Parameter] | undefined;
};
