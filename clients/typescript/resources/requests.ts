import { ListedResource, type Query, type Schemas } from './resource.ts';

/** A request in the log: a failed one, or a successful write. */
export type RequestEntry = Readonly<Schemas['RequestEntry']>;

/** Filter and page of the log. */
export type RequestQuery = Query<'listRequests'>;

/** The log of the account's latest requests. */
export class Requests extends ListedResource<RequestEntry, RequestQuery> {
  protected readonly path = '/v1/requests';
}
