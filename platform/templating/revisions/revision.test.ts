import { describe, expect, it } from 'vitest';
import { revisionOf } from './revision.ts';

const SOURCE = { html: '<p>{{a}}</p>', css: 'p {}' };

describe('A template revision', () => {
  it('keeps its hash if the template has no email parts', () => {
    const { body, content } = revisionOf({ displayName: 'T', ...SOURCE }, SOURCE);
    expect(body).toBe('{"css":"p {}","displayName":"T","html":"<p>{{a}}</p>"}');
    expect(content).not.toHaveProperty('email');
  });

  it('changes if the email template changes', () => {
    const of = (subject: string) => revisionOf({ displayName: 'T', ...SOURCE, email: { subject } }, SOURCE);
    expect(of('One').content.email).toEqual({ subject: 'One' });
    expect(of('One').sha256).toBe(of('One').sha256);
    expect(of('One').sha256).not.toBe(of('Two').sha256);
  });
});
