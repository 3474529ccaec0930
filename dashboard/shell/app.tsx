import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso';
import { Loading } from '../components/notices/loading.tsx';
import { ErrorNotice } from '../components/notices/notice.tsx';
import { Toasts } from '../components/notices/toasts.tsx';
import { useResource } from '../loading/resource.ts';
import { useSession } from '../session/session.ts';
import { SignInPage } from '../session/sign-in-page.tsx';
import { Frame } from './frame.tsx';
import { ForbiddenPage, NotFoundPage, PAGE_SCOPES, PAGES } from './pages.tsx';
import { sectionOf } from './sections.ts';

/** Root of the dashboard. Without a session it shows the sign-in page at every URL. */
export function App() {
  const { load, signedIn, allows } = useSession();
  const asked = useResource(load);
  if (asked.error.value) return <ErrorNotice error={asked.error.value} onRetry={asked.reload} />;
  if (signedIn.value === undefined) return <Loading />;
  if (signedIn.value === null) return <SignInPage />;
  return (
    <LocationProvider scope="/dashboard">
      <Frame>
        <ErrorBoundary>
          <Router onRouteChange={focusHeading}>
            {[
              ...Object.entries(PAGES).map(([path, page]) => {
                const section = sectionOf(path);
                const scope = PAGE_SCOPES[path] ?? section?.scope;
                const address = `/dashboard${path}`;
                if (scope === undefined || allows(scope)) {
                  return <Route key={path} path={address} component={page} />;
                }
                return (
                  <Route
                    key={path}
                    path={address}
                    component={ForbiddenPage}
                    title={section?.label ?? ''}
                    scope={scope}
                  />
                );
              }),
              <Route key="default" default component={NotFoundPage} />,
            ]}
          </Router>
        </ErrorBoundary>
      </Frame>
      <Toasts />
    </LocationProvider>
  );
}

/** Moves the focus to the new page, so that a screen reader announces it and Tab continues there. */
function focusHeading(): void {
  document.querySelector<HTMLElement>('main')?.focus();
}
