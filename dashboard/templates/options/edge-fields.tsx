import type { Extension } from '@codemirror/state';
import type { PageEdge } from '@trifold/client';
import { Field } from '../../components/field.tsx';
import { text } from '../../messages/text.ts';
import { TemplateInput } from '../code/template-input.tsx';
import { isObject } from '../editor/json-text.ts';
import { LengthField, SwitchField } from './option-fields.tsx';
import type { PartFieldsProps } from './options-form.tsx';

const { options: messages } = text;

interface EdgeFieldsProps extends PartFieldsProps {
  readonly name: 'header' | 'footer';
  readonly edge: PageEdge | undefined;
  readonly language: Extension;
  readonly readOnly: boolean;
}

/** The header or the footer of every page. */
export function EdgeFields({ name, edge, set, language, readOnly }: EdgeFieldsProps) {
  const { enabled = false, height, content = '' }: PageEdge = isObject(edge) ? edge : {};
  return (
    <fieldset class="stack">
      <legend class="visually-hidden">{messages.edges[name]}</legend>
      <SwitchField
        label={messages.edges[name]}
        checked={enabled}
        onChange={(checked) => set([name, 'enabled'], checked || undefined)}
      />
      {enabled && (
        <>
          <Field label={messages.edgeContent[name]} hint={messages.edgeHint}>
            <TemplateInput
              value={content}
              onChange={(written) => set([name, 'content'], written || undefined)}
              extensions={language}
              readOnly={readOnly}
              lines={3}
            />
          </Field>
          <div class="options-grid">
            <LengthField
              label={messages.edgeHeight[name]}
              value={height ?? ''}
              placeholder="0.5in"
              onChange={(value) => set([name, 'height'], value || undefined)}
            />
          </div>
        </>
      )}
    </fieldset>
  );
}
