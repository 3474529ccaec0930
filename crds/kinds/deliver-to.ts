import { Type, type Static } from 'typebox';

/** Maximum number of destinations per event; more than MAX_ENDPOINTS. */
const MAX_DESTINATIONS = 64;

/** An endpoint that was selected for an event; a later endpoint with the same name is a different one. */
export const EndpointRef = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 253, description: 'Name.' }),
    uid: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Uid; distinguishes endpoints with the same name.',
    }),
  },
  { description: 'WebhookEndpoint in the same namespace.' },
);
export type EndpointRef = Static<typeof EndpointRef>;

/**
 * Returns the schema of a status field: the endpoints notified of completion, chosen in the same write that records it.
 */
export function DeliverTo() {
  return Type.Array(EndpointRef, {
    maxItems: MAX_DESTINATIONS,
    description: 'Endpoints that receive the event; fixed when the event occurs.',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['uid'],
  });
}
