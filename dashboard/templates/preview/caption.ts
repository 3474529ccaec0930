import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Caption of the surrounding preview when there are two. */
export const Caption = createContext<string | undefined>(undefined);

/** Returns a label that differs between the previews of a comparison. */
export function useLabel(label: string): string {
  const caption = useContext(Caption);
  return caption === undefined ? label : `${label}, ${caption}`;
}
