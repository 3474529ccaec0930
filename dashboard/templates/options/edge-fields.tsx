import type { Extension } from '@codemirror/state';
import type { ReadonlySignal } from '@preact/signals';
import type { GenerationOptions, PageEdge, PreviewError } from '@trifold/client';
import { text } from '../../messages/text.ts';
import { isObject } from '../editor/json-text.ts';
import { TemplateField } from '../editor/template-field.tsx';
import { LengthField, SwitchField } from './option-fields.tsx';
import type { PartFieldsProps } from './options-form.tsx';

const { options: messages } = text;

const EDGES = ['header', 'footer'] as const;
type Edge = (typeof EDGES)[number];

interface EdgeFieldsProps extends PartFieldsProps {
  readonly name: Edge;
  readonly edge: PageEdge | undefined;
  readonly language: Extension;
  readonly errors: ReadonlySignal<readonly PreviewError[]>;
  readonly readOnly: boolean;
}

/** The header or the footer of every page. */
export function EdgeFields({ name, edge, set, language, errors, readOnly }: EdgeFieldsProps) {
  const { enabled = false, height, content = '' } = edgeOf(edge);
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
          <TemplateField
            label={messages.edgeContent[name]}
            hint={messages.edgeHint}
            errors={errors}
            path={contentPath(name)}
            value={content}
            onChange={(written) => set([name, 'content'], written || undefined)}
            extensions={language}
            readOnly={readOnly}
            lines={3}
          />
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

/** Whether the field of a header or footer shows the errors of this path. */
export function isShownAtEdge(options: GenerationOptions, path: PreviewError['path']): boolean {
  return EDGES.some((name) => path === contentPath(name) && edgeOf(options[name]).enabled);
}

function contentPath(name: Edge): string {
  return `/default_options/${name}/content`;
}

/** The JSON may have another form. */
function edgeOf(edge: PageEdge | undefined): PageEdge {
  return isObject(edge) ? edge : {};
}
