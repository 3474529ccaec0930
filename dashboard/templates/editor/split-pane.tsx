import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { classes } from '../../components/classes.ts';
import { Splitter } from '../../components/controls/splitter.tsx';
import { panelAttributes, Tabs } from '../../components/controls/tabs.tsx';
import { useMedia } from '../../components/use-media.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import type { Side } from './editor-tasks.ts';
import styles from './split-pane.module.css';

const PREFIX = 'side';

const SIDES = [
  { id: 'edit', label: messages.edit },
  { id: 'preview', label: messages.preview },
] as const;

interface SplitPaneProps {
  /** The side shown on a narrow screen. */
  readonly side: Signal<Side>;
  readonly start: ComponentChildren;
  readonly end: ComponentChildren;
}

/** The editor next to its preview, with a splitter; on a narrow screen, tabs choose one of them. */
export function SplitPane({ side, start, end }: SplitPaneProps) {
  const isWide = useMedia('(width >= 900px)');
  const percent = useSignal(50);
  const sideAttributes = (id: Side) => (isWide.value ? {} : panelAttributes(PREFIX, id, side.value));
  return (
    <>
      {!isWide.value && <Tabs label={messages.sides} tabs={SIDES} selected={side} prefix={PREFIX} />}
      <div
        class={classes(styles.split, !isWide.value && styles.single)}
        style={{ '--split': String(percent.value) }}
      >
        <div class={styles.side} key="start" {...sideAttributes('edit')}>
          {start}
        </div>
        {isWide.value && (
          <Splitter
            key="splitter"
            label={messages.splitter}
            orientation="vertical"
            value={percent}
            min={25}
            max={75}
            step={5}
            valueAt={({ clientX }, { left, width }) => ((clientX - left) / width) * 100}
          />
        )}
        <div class={styles.side} key="end" {...sideAttributes('preview')}>
          {end}
        </div>
      </div>
    </>
  );
}
