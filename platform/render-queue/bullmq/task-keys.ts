import { ConfigError, readSettings, type Environment } from '../../service/config.ts';

/** Characters. */
const SHORTEST_KEY = 32;
/** The newest key, and the one before it while it is replaced. */
const MOST_KEYS = 2;

/** Reads the keys that seal tasks, the newest first. Throws ConfigError; no message contains a key. */
export function loadTaskKeys(environment: Environment): readonly string[] {
  const { keys } = readSettings<{ keys: readonly string[] }>(environment, {
    keys: { variable: 'TRIFOLD_TASK_KEYS', parse: taskKeys, fallback: [] },
  });
  if (keys.length > 0) return keys;
  throw new ConfigError(['TRIFOLD_TASK_KEYS must be set: the secret that controllers and renderers share']);
}

function taskKeys(text: string): readonly string[] {
  const keys = text.split(',');
  const isKey = (key: string) => /^[!-~]+$/.test(key) && key.length >= SHORTEST_KEY;
  if (keys.length <= MOST_KEYS && keys.every(isKey)) return keys;
  throw new RangeError(
    `must be one or two keys, each of at least ${SHORTEST_KEY} characters of printable ASCII without spaces and commas`,
  );
}
