import { signal, useSignal, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Button } from '../../components/controls/button.tsx';
import { Splitter } from '../../components/controls/splitter.tsx';
import { formatNumber } from '../../components/format.ts';
import { remedyOf } from '../../documents/problem.tsx';
import { problems as messages } from '../../messages/problems.ts';
import type { Fix } from './fixes.ts';
import type { Problem, ProblemPart } from './problem.ts';
import styles from './problems.module.css';

const MIN_HEIGHT = 96;
const MAX_HEIGHT = 640;

const STORED = 'trifold-problems-height';
const DEFAULT_HEIGHT = 224;

/** Height of the drawers, in pixels. This browser remembers it. */
const drawerHeight = signal(storedHeight());
drawerHeight.subscribe((height) => localStorage.setItem(STORED, String(height)));

function storedHeight(): number {
  const stored = Number(localStorage.getItem(STORED));
  return stored >= MIN_HEIGHT && stored <= MAX_HEIGHT ? stored : DEFAULT_HEIGHT;
}

interface Fixes {
  readonly of: (problem: Problem) => readonly Fix[];
  readonly apply: (problem: Problem, fix: Fix) => void;
}

interface ProblemsDrawerProps {
  readonly problems: ReadonlySignal<readonly Problem[]>;
  /** Goes to a problem. @default problems are not links */
  readonly onGo?: ((problem: Problem) => void) | undefined;
  /** Changes that fix a problem, and how to apply one. */
  readonly fixes?: Fixes | undefined;
}

/** A bar with the number of problems, below a drawer that lists them by part, parts with errors first. */
export function ProblemsDrawer({ problems, onGo, fixes }: ProblemsDrawerProps) {
  const isOpen = useSignal(false);
  const id = useId();
  const bar = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLElement>(null);
  useKeptFocus(list);
  const all = errorsFirst(problems.value);
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    isOpen.value = false;
    bar.current?.focus();
  };
  return (
    <div class={styles.problems}>
      <div class={styles.bar}>
        <button
          type="button"
          ref={bar}
          class={classes(styles.summary, styles[severityOf(all)])}
          aria-expanded={isOpen.value}
          aria-controls={isOpen.value ? id : undefined}
          onClick={() => void (isOpen.value = !isOpen.value)}
        >
          <span aria-live="polite">{summaryOf(all)}</span>
        </button>
      </div>
      {isOpen.value && (
        <div class={styles.open} onKeyDown={closeOnEscape}>
          <Splitter
            label={messages.height}
            orientation="horizontal"
            value={drawerHeight}
            min={MIN_HEIGHT}
            max={MAX_HEIGHT}
            step={16}
            valueAt={({ clientY }, { bottom }) => bottom - clientY}
          />
          <section
            class={styles.drawer}
            ref={list}
            id={id}
            style={{ '--height': `${drawerHeight.value}px` }}
            aria-label={messages.title}
            tabIndex={0}
          >
            {partsOf(all).map((part) => (
              <Group key={part} part={part} problems={all} onGo={onGo} fixes={fixes} />
            ))}
            {all.length === 0 && <p class="muted">{messages.none}</p>}
          </section>
        </div>
      )}
    </div>
  );
}

/** Keeps the focus in the list when the focused problem disappears: it moves to the one that takes its place. */
function useKeptFocus(list: RefObject<HTMLElement | null>): void {
  const items = () => Array.from(list.current?.querySelectorAll('li') ?? []);
  // The page still shows the problems from the last time.
  const focused = items().findIndex((item) => item.contains(document.activeElement));
  useLayoutEffect(() => {
    if (focused < 0 || list.current?.contains(document.activeElement)) return;
    const next = items()[Math.min(focused, items().length - 1)]?.querySelector('button') ?? list.current;
    next?.focus();
  });
}

function severityOf(problems: readonly Problem[]): Problem['severity'] | 'none' {
  if (problems.some(({ severity }) => severity === 'error')) return 'error';
  return problems.length > 0 ? 'warning' : 'none';
}

function summaryOf(problems: readonly Problem[]): string {
  const count = (wanted: Problem['severity']) =>
    problems.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors > 0 && warnings > 0) return messages.both(messages.errors(errors), messages.warnings(warnings));
  if (errors > 0) return messages.errors(errors);
  return warnings > 0 ? messages.warnings(warnings) : messages.none;
}

function errorsFirst(problems: readonly Problem[]): Problem[] {
  const isWarning = ({ severity }: Problem) => Number(severity === 'warning');
  return problems.toSorted((one, other) => isWarning(one) - isWarning(other));
}

/** Parts with problems: those with errors first, otherwise in the order of the headings. */
function partsOf(problems: readonly Problem[]): ProblemPart[] {
  const order = Object.keys(messages.parts);
  const partsWith = (wanted: Problem['severity']) =>
    problems
      .filter(({ severity }) => severity === wanted)
      .map(({ part }) => part)
      .sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return [...new Set([...partsWith('error'), ...partsWith('warning')])];
}

interface GroupProps extends Pick<ProblemsDrawerProps, 'onGo' | 'fixes'> {
  readonly part: ProblemPart;
  /** Problems of all parts, errors first. */
  readonly problems: readonly Problem[];
}

function Group({ part, problems, ...rest }: GroupProps) {
  const own = problems.filter((problem) => problem.part === part);
  return (
    <section class={styles.group} aria-label={messages.parts[part]}>
      <h2>{messages.parts[part]}</h2>
      <ul>
        {own.map((problem, index) => (
          <Item key={`${index} ${problem.message}`} problem={problem} {...rest} />
        ))}
      </ul>
    </section>
  );
}

function Item({
  problem,
  onGo,
  fixes,
}: Omit<GroupProps, 'part' | 'problems'> & { readonly problem: Problem }) {
  const { code, remedy = code && remedyOf(code) } = problem;
  const content = <Content problem={problem} />;
  return (
    <li class={styles.item}>
      <div class={styles.text}>
        {onGo && problem.path !== undefined ? (
          <button type="button" class={styles.go} onClick={() => onGo(problem)}>
            {content}
          </button>
        ) : (
          <p>{content}</p>
        )}
        {remedy && <p class="small muted">{remedy}</p>}
      </div>
      {fixes?.of(problem).map((fix) => (
        <Button key={fix.label} onClick={() => fixes.apply(problem, fix)}>
          {fix.label}
        </Button>
      ))}
    </li>
  );
}

function Content({ problem }: { readonly problem: Problem }) {
  const { severity, message, name, places } = problem;
  const [{ line, column }] = places;
  return (
    <>
      <span class={classes(styles.severity, styles[severity])}>{messages[severity]}</span>{' '}
      {name !== undefined && !message.includes(name) && <code>{name}</code>} {message}
      {line !== undefined && (
        <span class="muted"> {messages.position(formatNumber(line), formatNumber(column ?? 1))}</span>
      )}
      {places.length > 1 && <strong> {messages.times(formatNumber(places.length))}</strong>}
    </>
  );
}
