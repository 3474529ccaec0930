import type { ServedKind } from '../served-kind.ts';
import { EVENT } from './event.ts';
import { LEASE } from './lease.ts';
import { NAMESPACE } from './namespace.ts';
import { SECRET } from './secret.ts';

/** The kinds of the API server's own that this server has. */
export const BUILTIN_KINDS: readonly ServedKind[] = [NAMESPACE, SECRET, EVENT, LEASE];
