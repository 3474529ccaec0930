/** A Redis version or setting that can lose tasks. */
export interface RedisAdvice {
  readonly problem: string;
  readonly remedy: string;
  readonly fields: Readonly<Record<string, string>>;
}

const OLDEST_MAJOR = 6;
const OLDEST_MINOR = 2;

/** Returns advice from the output of INFO. Absent fields are fine, because some Redis services hide them. */
export function redisAdvice(info: string): readonly RedisAdvice[] {
  const advice: RedisAdvice[] = [];
  const version = redisVersion(info);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (version !== '' && major * 100 + minor < OLDEST_MAJOR * 100 + OLDEST_MINOR) {
    const problem = 'Redis is older than 6.2, the minimum version';
    advice.push({ problem, remedy: 'upgrade Redis', fields: { version } });
  }
  const policy = fieldOf(info, 'maxmemory_policy');
  if (policy !== '' && policy !== 'noeviction') {
    const remedy = 'set its maxmemory-policy to noeviction';
    advice.push({ problem: 'Redis may evict render tasks', remedy, fields: { policy } });
  }
  return advice;
}

/** Empty if INFO does not show it. */
export function redisVersion(info: string): string {
  return fieldOf(info, 'redis_version');
}

/** Whether Redis keeps tasks across a restart; undefined if INFO does not show it. */
export function hasAppendOnlyFile(info: string): boolean | undefined {
  const enabled = fieldOf(info, 'aof_enabled');
  return enabled === '' ? undefined : enabled === '1';
}

function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
}
