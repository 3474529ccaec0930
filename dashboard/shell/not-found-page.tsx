import { Page } from '../components/page.tsx';
import { text } from '../messages/text.ts';

export function NotFoundPage() {
  return (
    <Page title={text.errors.notFound}>
      <p>
        <a href="/dashboard/">{text.errors.backToStart}</a>
      </p>
    </Page>
  );
}
