import type { ServedKind } from '../served-kind.ts';
import { CONFIG_MAP } from './config-map.ts';
import { EVENT } from './event.ts';
import { LEASE } from './lease.ts';
import { NAMESPACE } from './namespace.ts';
import { SECRET } from './secret.ts';

/** The built-in Kubernetes kinds that this server supports. */
export const BUILTIN_KINDS: readonly ServedKind[] = [NAMESPACE, CONFIG_MAP, SECRET, EVENT, LEASE];
