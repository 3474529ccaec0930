import { TrifoldClient } from '@trifold/client';

/** Client of the service that served this page, with the rights of the session. */
export const client = new TrifoldClient({ baseUrl: location.origin, session: true });
