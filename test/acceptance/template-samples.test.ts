import { describe, expect, it } from 'vitest';
import { expectError, type TemplateAnswer } from '../support/api.ts';
import { live, otherAccount } from './service-under-test.ts';

const SAMPLES = { samples: [{ name: 'Two pages', data: { number: 'A-17', lines: [{ total: '1' }] } }] };

const save = async (id: string, body: object) => live.send('PUT', `/v1/templates/${id}/samples`, { body });
const read = async (id: string) => (await live.get(`/v1/templates/${id}/samples`)).json();

describe('Samples of a template', () => {
  it('are kept with the template and change no version', async () => {
    const { id, version } = await live.createTemplate();
    expect(await read(id)).toEqual({ samples: [] });
    expect((await save(id, SAMPLES)).json()).toEqual(SAMPLES);
    expect(await read(id)).toEqual(SAMPLES);
    const template = (await live.get(`/v1/templates/${id}`)).json<TemplateAnswer>();
    expect(template.version).toBe(version);
    await live.patch(`/v1/templates/${id}`, { name: 'Renamed' });
    expect(await read(id)).toEqual(SAMPLES);
    await save(id, { samples: [] });
    expect(await read(id)).toEqual({ samples: [] });
  });

  it.each([
    [
      'two samples with one name',
      [
        { name: 'A', data: {} },
        { name: 'A', data: {} },
      ],
    ],
    ['more than 128 KiB', [{ name: 'A', data: { text: 'x'.repeat(131_072) } }]],
    ['data that is a list', [{ name: 'A', data: [] }]],
  ])('are rejected: %s', async (_, samples) => {
    const { id } = await live.createTemplate();
    expectError(await save(id, { samples }), 400, 'invalid_request');
    expect(await read(id)).toEqual({ samples: [] });
  });

  it('belong to the account', async () => {
    const { id } = await live.createTemplate();
    const path = `/v1/templates/${id}/samples`;
    expectError(await otherAccount.get(path), 404, 'template_not_found');
    expectError(await otherAccount.send('PUT', path, { body: SAMPLES }), 404, 'template_not_found');
  });
});
