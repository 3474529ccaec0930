import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useUnsavedChanges } from '../../shell/unsaved-changes.tsx';
import type { EditedTemplate } from './edited-template.ts';

const DELAY_MS = 400;

/**
 * Keeps unsaved changes in this browser while the person types, and asks before the page is left with them. The value is
 * false when the browser has no room for them.
 */
export function useKeptDraft(edited: EditedTemplate): ReadonlySignal<boolean> {
  const isKept = useSignal(true);
  useUnsavedChanges(edited.isChanged);
  useSignalEffect(() => {
    // Both cause another write: a change, and a save that makes it the stored template.
    void edited.draft.value;
    void edited.saved.value;
    const timer = setTimeout(() => void (isKept.value = edited.keep()), DELAY_MS);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    const keep = () => void edited.keep();
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
  return isKept;
}
