import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { panelAttributes, Tabs } from '../../components/controls/tabs.tsx';
import { useMedia } from '../../components/use-media.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import styles from './split-pane.module.css';

const MIN_PERCENT = 25;
const MAX_PERCENT = 75;
const STEP = 5;
const PREFIX = 'side';

export type Side = 'edit' | 'preview';

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
        {isWide.value && <Splitter key="splitter" percent={percent} />}
        <div class={styles.side} key="end" {...sideAttributes('preview')}>
          {end}
        </div>
      </div>
    </>
  );
}

/** Moves the divider between two panes, by pointer or arrow keys. */
function Splitter({ percent }: { readonly percent: Signal<number> }) {
  const element = useRef<HTMLDivElement>(null);
  const moveTo = (wanted: number) =>
    void (percent.value = Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, wanted)));
  const drag = (event: PointerEvent) => {
    const box = element.current?.parentElement?.getBoundingClientRect();
    if (!box || !element.current?.hasPointerCapture(event.pointerId)) return;
    moveTo(((event.clientX - box.left) / box.width) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const wanted = {
      ArrowLeft: percent.value - STEP,
      ArrowRight: percent.value + STEP,
      Home: MIN_PERCENT,
      End: MAX_PERCENT,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    moveTo(wanted);
  };
  return (
    <div
      class={styles.splitter}
      ref={element}
      role="separator"
      tabIndex={0}
      aria-label={messages.splitter}
      aria-orientation="vertical"
      aria-valuemin={MIN_PERCENT}
      aria-valuemax={MAX_PERCENT}
      aria-valuenow={Math.round(percent.value)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
