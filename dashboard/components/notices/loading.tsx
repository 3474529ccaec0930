import type { ComponentChildren } from 'preact';
import type { Resource } from '../../loading/resource.ts';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import { ErrorNotice } from './notice.tsx';
import styles from './loading.module.css';

/** Shown during the first load. */
export function Loading() {
  return (
    <p class={classes(styles.loading, 'muted')} role="status">
      {text.common.loading}
    </p>
  );
}

interface LoadedProps<Value> {
  readonly resource: Resource<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows what a page loaded, the error of the last load, or a loading indicator during the first load. */
export function Loaded<Value>({ resource: { value, error, loading, reload }, children }: LoadedProps<Value>) {
  return (
    <>
      <ErrorNotice error={error.value} onRetry={reload} />
      {value.value === undefined ? loading.value && <Loading /> : children(value.value)}
    </>
  );
}
