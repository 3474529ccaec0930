import { useRef } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { ACCEPTED_FILES } from '../code/insert-file.ts';

/** Chooses images and fonts for the text, as an alternative to dropping them. */
export function InsertFileButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="row">
      <Button onClick={() => input.current?.click()}>{messages.insertFile}</Button>
      <span class="small muted insert-hint">{messages.insertFileHint}</span>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        multiple
        hidden
        aria-label={messages.insertFile}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
