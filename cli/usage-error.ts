import { SetupError } from '@trifold/platform/errors/trifold-error.ts';

/** Invalid command line; the message says how to fix it. */
export class UsageError extends SetupError {}
