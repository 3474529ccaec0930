import { describe, expect, it } from 'vitest';
import { scopeOf } from './scopes.ts';

describe('the table of scopes', () => {
  it('gives HEAD the scope of GET', () => {
    expect(scopeOf('HEAD', '/v1/templates')).toBe('templates:read');
  });

  it('lets no route be registered that it does not know', () => {
    expect(() => scopeOf('GET', '/v1/new')).toThrow('no scope is written down for GET /v1/new');
  });
});
