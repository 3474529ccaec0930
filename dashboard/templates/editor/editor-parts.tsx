import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { panelAttributes, Tabs, type TabMark } from '../../components/controls/tabs.tsx';
import { formatBytes } from '../../components/format.ts';
import { eInvoice } from '../../messages/e-invoices.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { useSession } from '../../session/session.ts';
import { bytesOf, partOfPath, PARTS, type Part } from './draft/draft.ts';
import type { EditedTemplate, PanelProps } from './draft/edited-template.ts';
import { EInvoicePanel } from './panels/e-invoice-panel.tsx';
import { EmailPanel } from './panels/email-panel.tsx';
import { OptionsPanel } from './panels/options-panel.tsx';
import { SettingsPanel } from './panels/settings-panel.tsx';
import { CssPanel, DataPanel, HtmlPanel, SchemaPanel } from './panels/text-panels.tsx';
import { MAX_MAPPING_BYTES } from '../e-invoices/terms.ts';
import type { EditorProps } from './editor-tasks.ts';
import { PartTools } from './part-tools.tsx';
import { jsonBytes } from '../json-text.ts';
import styles from './editor.module.css';

const PREFIX = 'part';

const PANELS = {
  html: HtmlPanel,
  css: CssPanel,
  schema: SchemaPanel,
  data: DataPanel,
  options: OptionsPanel,
  email: EmailPanel,
  e_invoice: EInvoicePanel,
  settings: SettingsPanel,
} as const;

/** The parts of a template in tabs. A part that has been shown stays mounted, so that it keeps its undo history. */
export function EditorParts({ edited, tasks, readOnly }: PanelProps & EditorProps) {
  const { part } = tasks;
  const { current: shown } = useRef(new Set<Part>());
  shown.add(part.value);
  const tabs = useComputed(() =>
    PARTS.map((id) => ({ id, label: messages.parts[id], marks: marksOf(edited, id) })),
  );
  return (
    <>
      <div class={styles.bar}>
        <Tabs label={messages.partsLabel} tabs={tabs.value} selected={part} prefix={PREFIX} />
        {!readOnly && (
          <PartTools
            part={part.value}
            link={edited.link}
            onInsert={() => void (tasks.shown.value = 'insertions')}
            onShowXml={edited.draft.value.eInvoice.enabled ? tasks.showXml : undefined}
            panelId={panelAttributes(PREFIX, part.value, part.value).id}
          />
        )}
      </div>
      {PARTS.map((id) => {
        const Panel = PANELS[id];
        return (
          <div class={styles.panel} key={id} {...panelAttributes(PREFIX, id, part.value)}>
            {shown.has(id) && <Panel edited={edited} readOnly={readOnly} />}
          </div>
        );
      })}
      <Meter edited={edited} part={part.value} />
    </>
  );
}

function marksOf(edited: EditedTemplate, part: Part): TabMark[] {
  const marks: TabMark[] = [];
  if (edited.changed.value.has(part)) marks.push({ kind: 'changed', meaning: messages.partChanged });
  if (hasErrors(edited, part)) marks.push({ kind: 'error', meaning: messages.partInvalid });
  return marks;
}

function hasErrors({ problems }: EditedTemplate, part: Part): boolean {
  return problems.value.some(({ severity, path }) => severity === 'error' && partOfPath(path) === part);
}

const NEARLY_FULL = 0.8;

/** Maximum size of one sample's data, in bytes, as in the API. */
const MAX_SAMPLE_BYTES = 1024 * 1024;

/** Share of a size limit that the part uses. */
function Meter({ edited, part }: Pick<EditorProps, 'edited'> & { readonly part: Part }) {
  if (part === 'data') return <DataMeter edited={edited} />;
  return part === 'e_invoice' ? <MappingMeter edited={edited} /> : <TemplateMeter edited={edited} />;
}

/** Share of the size limit that the HTML and CSS use. */
function TemplateMeter({ edited }: { readonly edited: EditedTemplate }) {
  const { signedIn } = useSession();
  const bytes = useComputed(() => bytesOf(edited.draft.value)).value;
  const most = signedIn.value?.limits.max_template_bytes;
  return most === undefined ? null : <SizeMeter bytes={bytes} most={most} problem={messages.tooLarge} />;
}

/** Share of the size limit that the sample uses. */
function DataMeter({ edited }: { readonly edited: EditedTemplate }) {
  const bytes = useComputed(() => jsonBytes(edited.data.value)).value;
  return <SizeMeter bytes={bytes} most={MAX_SAMPLE_BYTES} problem={messages.dataTooLarge} />;
}

/** Share of the size limit that the e-invoice's mapping uses. */
function MappingMeter({ edited }: { readonly edited: EditedTemplate }) {
  const { enabled, mapping } = edited.draft.value.eInvoice;
  if (!enabled) return null;
  return <SizeMeter bytes={jsonBytes(mapping)} most={MAX_MAPPING_BYTES} problem={eInvoice.tooLarge} />;
}

interface SizeMeterProps {
  readonly bytes: number;
  readonly most: number;
  /** Shown above the limit. */
  readonly problem: string;
}

function SizeMeter({ bytes, most, problem }: SizeMeterProps) {
  const shown = messages.size(formatBytes(bytes), formatBytes(most));
  return (
    <div class={classes(styles.size, 'small')}>
      <meter min={0} max={most} high={most * NEARLY_FULL} optimum={0} value={bytes} aria-label={shown} />
      <span class={bytes > most ? styles.tooLarge : 'muted'}>
        {shown}
        {bytes > most && ` ${problem}`}
      </span>
    </div>
  );
}
