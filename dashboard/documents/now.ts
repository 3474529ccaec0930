import { signal } from '@preact/signals';

const TICK_MS = 15_000;

/** The current time in milliseconds, for what counts down. */
export const now = signal(Date.now());

setInterval(() => void (now.value = Date.now()), TICK_MS);
