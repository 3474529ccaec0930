import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '@trifold/client';
import { useSession } from '../../session/session.ts';

export type PreviewFormat = NonNullable<PreviewRequest['format']>;

/** The format of a preview. */
export interface ChosenFormat {
  readonly format: ReadonlySignal<PreviewFormat>;
  /** Formats of the service; `email` too if the template is an email template. */
  readonly formats: ReadonlySignal<readonly PreviewFormat[]>;
  readonly choose: (format: PreviewFormat) => void;
}

/** Returns a choice of the format, first PDF. */
export function useFormat(request: ReadonlySignal<PreviewRequest | undefined>): ChosenFormat {
  const { signedIn } = useSession();
  const chosen = useSignal<PreviewFormat>('pdf');
  const hasEmail = useComputed(() => Boolean(request.value?.email));
  const formats = useComputed((): readonly PreviewFormat[] => [
    ...(signedIn.value?.formats ?? []),
    ...(hasEmail.value ? (['email'] as const) : []),
  ]);
  const format = useComputed(() => (formats.value.includes(chosen.value) ? chosen.value : 'pdf'));
  return { format, formats, choose: (value) => void (chosen.value = value) };
}
