import type { RenderOutcome } from './port.ts';

/** Returns the stored value of a finished task if it is an outcome. */
export function storedOutcome(value: unknown): RenderOutcome | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value)) return undefined;
  const { status } = value;
  const isComplete =
    (status === 'completed' && 'result' in value) || (status === 'failed' && 'failure' in value);
  return isComplete ? (value as RenderOutcome) : undefined;
}
