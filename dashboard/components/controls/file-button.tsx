import { useRef } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

interface FileButtonProps extends ButtonProps {
  /** Files that the user can choose. */
  readonly accept: string;
  /** @default false */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that lets the user choose files. */
export function FileButton({ accept, multiple = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        aria-label={button['aria-label']}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Allows selecting the same file again after a change.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
