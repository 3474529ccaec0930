import type { TemplateSample } from '@trifold/client';
import { gallery as messages } from '../../messages/template-pages.ts';
import { readTemplate, type TemplateFile } from '../yaml/template-yaml.ts';
import blankCss from './blank.css?raw';
import blankHtml from './blank.html?raw';

/** A template to begin with. */
export interface Starter extends TemplateFile {
  readonly id: string;
  /** URL of an image that shows its first page. */
  readonly picture?: string;
}

const BLANK: Starter = {
  id: 'blank',
  template: {
    name: messages.blankName,
    description: messages.blankDescription,
    html: blankHtml,
    css: blankCss,
    default_options: { page_size: 'a4', margins: '20mm' },
  },
  samples: [{ name: messages.sample, data: { title: messages.blankTitle } }],
};

/** HTML that the user pastes. */
export const PASTED: Starter = {
  id: 'html',
  template: { name: messages.pastedName, description: messages.pastedDescription, html: '' },
  samples: [],
};

const EXAMPLES =
  'invoice letter certificate label report accessible-report sepa-invoice swiss-bill e-invoice';
const FILES = import.meta.glob<string>(['../../../examples/*.yaml', '../../../examples/*/data.json'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const PICTURES = import.meta.glob<string>('../../../docs/images/example-*.png', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** A page with a heading, an empty page, and the templates in the folder `examples`. */
export const STARTERS: readonly Starter[] = [BLANK, PASTED, ...EXAMPLES.split(' ').map(exampleOf)];

function exampleOf(id: string): Starter {
  const { template } = readTemplate(FILES[`../../../examples/${id}.yaml`] ?? '');
  const data = JSON.parse(FILES[`../../../examples/${id}/data.json`] ?? '') as TemplateSample['data'];
  const picture = PICTURES[`../../../docs/images/example-${id}.png`] ?? '';
  return { id, picture, template, samples: [{ name: messages.sample, data }] };
}
