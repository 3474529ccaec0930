import './options-form.css';
import type { Extension } from '@codemirror/state';
import type { ReadonlySignal } from '@preact/signals';
import type { GenerationOptions, PreviewError } from '@trifold/client';
import { text } from '../../messages/text.ts';
import { marginsOf, SIDES, withMargin, withOption, type OptionPath } from './edit-options.ts';
import { EdgeFields } from './edge-fields.tsx';
import { LengthField, SelectField, SwitchField, TextField } from './option-fields.tsx';
import { PageDrawing } from './page-drawing.tsx';

const { options: messages } = text;
const TIME_ZONES = Intl.supportedValuesOf('timeZone');
const ZONES_ID = 'time-zones';

export interface OptionsFormProps {
  readonly options: GenerationOptions;
  /** Receives the JSON of the changed options. */
  readonly onChange: (json: string) => void;
  readonly readOnly: boolean;
  /** Language of headers and footers. */
  readonly edgeLanguage: Extension;
  /** Errors of a preview in the options. */
  readonly errors: ReadonlySignal<readonly PreviewError[]>;
}

/** The generation options as fields. An option that is not set has the default of the service. */
export function OptionsForm({ options, onChange, readOnly, edgeLanguage, errors }: OptionsFormProps) {
  const set = (path: OptionPath, value: unknown) => onChange(withOption(options, path, value));
  const edge = { set, readOnly, language: edgeLanguage, errors };
  return (
    <fieldset class="editor-form stack" disabled={readOnly}>
      <legend class="visually-hidden">{messages.title}</legend>
      <div class="options-page">
        <PageFields options={options} set={set} />
        <PageDrawing options={options} />
      </div>
      <fieldset>
        <legend>{messages.margins}</legend>
        <div class="options-grid">
          {SIDES.map((side) => (
            <LengthField
              key={side}
              label={messages.sides[side]}
              value={marginsOf(options)[side]}
              placeholder="0.4in"
              onChange={(length) => onChange(withMargin(options, side, length))}
            />
          ))}
        </div>
      </fieldset>
      <EdgeFields name="header" edge={options.header} {...edge} />
      <EdgeFields name="footer" edge={options.footer} {...edge} />
      <fieldset class="stack">
        <legend>{messages.language}</legend>
        <div class="options-grid">
          <TextField
            label={messages.locale}
            value={options.locale ?? ''}
            placeholder="en-US"
            onChange={(value) => set(['locale'], value || undefined)}
          />
          <TextField
            label={messages.timeZone}
            value={options.time_zone ?? ''}
            placeholder="UTC"
            list={ZONES_ID}
            onChange={(value) => set(['time_zone'], value || undefined)}
          />
        </div>
        <datalist id={ZONES_ID}>
          {TIME_ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </fieldset>
      <div>
        <SwitchField
          label={messages.background}
          checked={options.print_background ?? true}
          onChange={(checked) => set(['print_background'], checked ? undefined : false)}
        />
        <SwitchField
          label={messages.tagged}
          checked={options.tagged ?? false}
          onChange={(checked) => set(['tagged'], checked || undefined)}
        />
        <SwitchField
          label={messages.outline}
          checked={options.outline ?? false}
          onChange={(checked) => set(['outline'], checked || undefined)}
        />
      </div>
    </fieldset>
  );
}

export interface PartFieldsProps {
  readonly set: (path: OptionPath, value: unknown) => void;
}

function PageFields({ options, set }: PartFieldsProps & Pick<OptionsFormProps, 'options'>) {
  const { page_size, orientation, width = '', height = '', scale } = options;
  return (
    <div class="options-grid">
      <SelectField
        label={messages.pageSize}
        value={page_size}
        choices={messages.pageSizes}
        onChange={(value) => set(['page_size'], value)}
      />
      {page_size === 'custom' ? (
        <>
          <LengthField
            label={messages.width}
            value={width}
            placeholder="210mm"
            onChange={(value) => set(['width'], value || undefined)}
          />
          <LengthField
            label={messages.height}
            value={height}
            placeholder="297mm"
            onChange={(value) => set(['height'], value || undefined)}
          />
        </>
      ) : (
        <SelectField
          label={messages.orientation}
          value={orientation}
          choices={messages.orientations}
          onChange={(value) => set(['orientation'], value)}
        />
      )}
      <TextField
        label={messages.scale}
        value={scale === undefined ? '' : String(scale)}
        placeholder="1"
        type="number"
        onChange={(value) => set(['scale'], value === '' ? undefined : Number(value))}
      />
    </div>
  );
}
