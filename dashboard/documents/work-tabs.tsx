import './documents.css';
import { documents as messages, batches as batchesTexts } from '../messages/documents.ts';

const TABS = [
  { path: '/dashboard/documents', label: messages.title },
  { path: '/dashboard/batches', label: batchesTexts.title },
];

/** Links between the list of documents and the list of batches. `current`: path of this one. */
export function WorkTabs({ current }: { readonly current: string }) {
  return (
    <nav class="work-tabs" aria-label={messages.kinds}>
      {TABS.map(({ path, label }) => (
        <a href={path} key={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
