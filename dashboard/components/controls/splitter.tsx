import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { classes } from '../classes.ts';
import styles from './splitter.module.css';

interface SplitterProps {
  /** Accessible name of the splitter. */
  readonly label: string;
  /** Direction of the line. */
  readonly orientation: 'vertical' | 'horizontal';
  readonly value: Signal<number>;
  readonly min: number;
  readonly max: number;
  /** Change per arrow key press: right and up increase the value. */
  readonly step: number;
  /** Returns the value for a pointer position; `box` is the parent element. */
  readonly valueAt: (pointer: PointerEvent, box: DOMRect) => number;
}

/** Resizes the content next to it, with the pointer or the arrow keys. */
export function Splitter({ label, orientation, value, min, max, step, valueAt }: SplitterProps) {
  const element = useRef<HTMLDivElement>(null);
  const moveTo = (wanted: number) => void (value.value = Math.min(max, Math.max(min, wanted)));
  const drag = (event: PointerEvent) => {
    const box = element.current?.parentElement?.getBoundingClientRect();
    if (box && element.current?.hasPointerCapture(event.pointerId)) moveTo(valueAt(event, box));
  };
  const press = (event: KeyboardEvent) => {
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowDown', 'ArrowUp'];
    const wanted = new Map([
      [less, value.value - step],
      [more, value.value + step],
      ['Home', min],
      ['End', max],
    ]).get(event.key);
    if (wanted === undefined) return;
    event.preventDefault();
    moveTo(wanted);
  };
  return (
    <div
      class={classes(styles.splitter, styles[orientation])}
      ref={element}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={Math.round(value.value)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
