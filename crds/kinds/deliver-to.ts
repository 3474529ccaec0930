import { Type, type Static } from 'typebox';

/** Destinations an event may have; more than MOST_ENDPOINTS. */
const MOST_DESTINATIONS = 64;

/** An endpoint as it was chosen for an event; one that takes the name later is another. */
export const EndpointRef = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 253, description: 'Name.' }),
    uid: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Its uid: one of the same name is another.',
    }),
  },
  { description: 'WebhookEndpoint in the same namespace.' },
);
export type EndpointRef = Static<typeof EndpointRef>;

/** As a status member: which endpoints are told of the end, decided in the write that tells of it. */
export function DeliverTo() {
  return Type.Array(EndpointRef, {
    maxItems: MOST_DESTINATIONS,
    description: 'Endpoints that are told of it; chosen when it ended.',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['uid'],
  });
}
