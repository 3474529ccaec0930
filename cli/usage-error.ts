import { SetupError } from '@trifold/platform/service/trifold-error.ts';

/** Invalid command line; the message states the fix. */
export class UsageError extends SetupError {}
