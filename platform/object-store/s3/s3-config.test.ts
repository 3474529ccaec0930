import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../settings/read-settings.ts';
import { loadProxies } from '../../outbound/proxies.ts';
import { loadS3Config } from './s3-config.ts';

const environment = {
  TRIFOLD_S3_ENDPOINT: 'http://minio:9000',
  TRIFOLD_S3_ACCESS_KEY: 'the-access-key',
  TRIFOLD_S3_SECRET_KEY: 'the/secret+key',
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadS3Config(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('S3 configuration', () => {
  it('requires an endpoint and has defaults for the rest', async () => {
    const config = loadS3Config(environment);
    expect(config).toEqual({
      proxies: loadProxies({}),
      endpoint: 'http://minio:9000',
      bucket: 'trifold',
      region: 'us-east-1',
      credentials: expect.any(Function),
    });
    const keys = { accessKeyId: 'the-access-key', secretAccessKey: 'the/secret+key' };
    expect(await config.credentials()).toEqual(keys);
  });

  it.each([
    ['https://s3.example.com', 'https://s3.example.com'],
    ['https://s3.example.com:9443/', 'https://s3.example.com:9443'],
    ['HTTP://Minio.Storage.svc:80', 'http://minio.storage.svc'],
    ['http://[fd00::1]:9000', 'http://[fd00::1]:9000'],
  ])('normalizes the endpoint %s', (url, endpoint) => {
    expect(loadS3Config({ ...environment, TRIFOLD_S3_ENDPOINT: url })).toMatchObject({ endpoint });
  });

  it('reports all missing and invalid settings together', () => {
    const problems = problemsOf({ TRIFOLD_S3_ACCESS_KEY: 'key', TRIFOLD_S3_BUCKET: 'No_Bucket' });
    const named = problems.map((problem) => String(problem.split(' ')[0]));
    const expected = ['TRIFOLD_S3_BUCKET', 'TRIFOLD_S3_ENDPOINT', 'TRIFOLD_S3_SECRET_KEY'];
    expect(named.toSorted()).toEqual(expected);
  });

  it('requires both keys or neither', () => {
    const { TRIFOLD_S3_ACCESS_KEY, TRIFOLD_S3_SECRET_KEY, ...none } = environment;
    expect(problemsOf(none)).toEqual([]);
    expect(problemsOf({ ...none, TRIFOLD_S3_ACCESS_KEY })).toEqual([
      expect.stringMatching(/^TRIFOLD_S3_SECRET_KEY must be set/),
    ]);
    expect(problemsOf({ ...none, TRIFOLD_S3_SECRET_KEY })).toEqual([
      expect.stringMatching(/^TRIFOLD_S3_ACCESS_KEY must be set/),
    ]);
  });

  it.each([
    'minio:9000',
    'minio',
    's3://bucket',
    'http://',
    'http:///path',
    'http://minio:99999',
    'http://minio:9000/bucket',
    'http://minio:9000/?x=y',
    'http://minio:9000?',
    'http://minio:9000#x',
    'http://user:hunter2@minio:9000',
    'htp://user:hunter2@minio:9000',
  ])('rejects the endpoint %s without quoting it', (url) => {
    const [problem, ...others] = problemsOf({ ...environment, TRIFOLD_S3_ENDPOINT: url });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^TRIFOLD_S3_ENDPOINT must be http:\/\/ or https:\/\/ with a host/);
    expect(problem).not.toContain('hunter2');
  });

  it.each(['ab', 'UPPER', 'under_score', 'a..b', '-a-', '192.168.0.1', 'x'.repeat(64)])(
    'rejects the bucket %s',
    (bucket) => {
      const problems = problemsOf({ ...environment, TRIFOLD_S3_BUCKET: bucket });
      expect(problems).toEqual([expect.stringMatching(/^TRIFOLD_S3_BUCKET must be 3 to 63/)]);
    },
  );

  it('rejects a region with invalid characters', () => {
    const problems = problemsOf({ ...environment, TRIFOLD_S3_REGION: 'eu west' });
    expect(problems).toEqual([expect.stringMatching(/^TRIFOLD_S3_REGION must be a region/)]);
  });

  it('rejects keys with line breaks without quoting them', () => {
    const keys = { TRIFOLD_S3_ACCESS_KEY: 'the-access-key\n', TRIFOLD_S3_SECRET_KEY: 'the secret' };
    const problems = problemsOf({ ...environment, ...keys });
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain('line break');
    expect(problems.join()).not.toMatch(/the-access-key|the secret/);
  });
});
