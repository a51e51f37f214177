/** The frame of every page: the name of the repository, the account that asks, the navigation, active faults. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { repositoryQuery } from '../api/queries.ts';
import { statusOf, wordsOf } from '../api/refusal.ts';
import { Loading } from '../ui/states.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { titleOf } from '../api/title.ts';
import { Badge } from '../ui/text.tsx';
import { Toasts } from '../ui/toast.tsx';
import { AccountMenu } from './account-menu.tsx';
import { EndedSession } from './ended-session.tsx';
import { FaultBanner } from './fault-banner.tsx';
import { destinationsOf, helpOf, placeOf } from './navigation.ts';
import './shell.css';
import { Shortcuts } from './shortcuts.tsx';
import { TokenForm } from './token-form.tsx';

export const Shell = (): ReactElement => {
  const repository = useQuery(repositoryQuery);
  const needsToken = statusOf(repository.error) === 403 && wordsOf(repository.error).includes('control token');
  return (
    <>
      <a className="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <header className="top">
        <div className="row">
          <Link to="/" className="brand">
            Atoll
          </Link>
          {repository.data !== undefined && (
            <>
              {/* The spaces are for those who hear it. */}
              <span>{titleOf(repository.data)}</span> <Badge>world {repository.data.world}</Badge>
            </>
          )}
        </div>
        <div className="row">
          <Help />
          {!needsToken && repository.data?.hasRepository !== false && <AccountMenu />}
        </div>
      </header>
      <div className="frame">
        <Navigation />
        <main id="main" tabIndex={-1}>
          {needsToken ? (
            <TokenForm error={repository.error} />
          ) : (
            <>
              <Notices />
              {repository.isPending ? <Loading what="the server" /> : <Outlet />}
            </>
          )}
        </main>
      </div>
      <Shortcuts />
      <Toasts />
    </>
  );
};

const Navigation = (): ReactElement => {
  const place = useRouterState({ select: ({ location }) => placeOf(location.pathname) });
  const { data } = useQuery(repositoryQuery);
  return (
    <nav aria-label="Pages">
      <ul>
        {destinationsOf(data).map(({ to, label, key }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              title={`g ${key}`}
              {...(to === place ? { className: 'active', 'aria-current': 'true' as const } : {})}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** What the manual says of this page. */
const Help = (): ReactElement => {
  const page = useRouterState({ select: ({ location }) => helpOf(location.pathname) });
  return <HelpLink page={page}>Help</HelpLink>;
};

/** What holds on every page. */
const Notices = (): ReactElement => (
  <>
    <EndedSession />
    <FaultBanner />
  </>
);

/** The address already uses `#`, so the link moves the focus itself. */
const focusMain = (event: { readonly preventDefault: () => void }): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};
