const DECIMAL = /^[1-9][0-9]*$/;

/**
 * Whether `candidate` is an older version than `current`. Versions of one kind compare as integers of any size
 * (Kubernetes API concepts, "Resource versions"); a version that is not such an integer is never older.
 */
export function isOlderVersion(candidate: string, current: string): boolean {
  if (!DECIMAL.test(candidate) || !DECIMAL.test(current)) return false;
  if (candidate.length !== current.length) return candidate.length < current.length;
  return candidate < current;
}
