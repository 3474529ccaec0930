import { Button } from '../../components/button.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { saveFile } from '../../components/save-file.ts';

interface DownloadButtonProps {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly name: string;
}

/** Saves a file that the page has. */
export function DownloadButton({ file, name }: DownloadButtonProps) {
  return <Button onClick={() => saveFile(new Blob([file]), name)}>{messages.download}</Button>;
}
