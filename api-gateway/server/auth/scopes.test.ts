import { describe, expect, it } from 'vitest';
import { scopeOf } from './scopes.ts';

describe('Scope table', () => {
  it('gives HEAD the scope of GET', () => {
    expect(scopeOf('HEAD', '/v1/templates')).toBe('templates:read');
  });

  it('prevents the registration of a route that it does not list', () => {
    expect(() => scopeOf('GET', '/v1/new')).toThrow('no scope is written down for GET /v1/new');
  });
});
