import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Loading } from '../components/loading.tsx';
import { Toasts } from '../components/toasts.tsx';
import { allows, loadSession, session } from '../session/session.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { useResource } from './resource.ts';
import { Frame } from './frame.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { SECTIONS } from './sections.ts';

/** Root of the dashboard. Without a session it shows the sign-in page at every address. */
export function App() {
  const asked = useResource(loadSession);
  if (asked.error.value) return <ErrorNotice error={asked.error.value} onRetry={asked.reload} />;
  if (session.value === undefined) return <Loading />;
  if (session.value === null) return <SignInPage />;
  return (
    <LocationProvider scope="/dashboard">
      <Frame>
        <ErrorBoundary>
          <Router onRouteChange={focusHeading}>{routes()}</Router>
        </ErrorBoundary>
      </Frame>
      <Toasts />
    </LocationProvider>
  );
}

function routes() {
  const allowed = SECTIONS.filter(({ scope }) => scope === undefined || allows(scope));
  return [
    ...allowed.flatMap(({ path, pages }) =>
      Object.entries(pages).map(([below, page]) => (
        <Route key={path + below} path={`/dashboard${path}${below}`} component={page} />
      )),
    ),
    <Route key="default" default component={NotFoundPage} />,
  ];
}

/** Moves the focus to the new page, so that a screen reader announces it and Tab continues there. */
function focusHeading(): void {
  document.querySelector<HTMLElement>('main')?.focus();
}
