/** The addresses of the console. They stand behind `#`, because the paths below `/_atoll` belong to the control interface. */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Missing } from './missing.tsx';
import { PageFailure } from './page-failure.tsx';
import { Shell } from './shell.tsx';

/** Values of the search stay texts: `?text=007` must not become a number. */
type Search = Readonly<Record<string, string>>;

const root = createRootRoute({
  component: Shell,
  notFoundComponent: Missing,
  validateSearch: (search: Record<string, unknown>): Search =>
    Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
});

// Each page is a file of its own, so that the first view loads little.
const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
});
const repository = createRoute({
  getParentRoute: () => root,
  path: '/repository',
  component: lazyRouteComponent(() => import('../repository/repository-page.tsx'), 'RepositoryPage'),
});
const entity = createRoute({
  getParentRoute: () => root,
  path: '/entities/$type/$id',
  component: lazyRouteComponent(() => import('../object/object-page.tsx'), 'ObjectPage'),
});
const edit = createRoute({
  getParentRoute: () => root,
  path: '/entities/$type/$id/edit',
  component: lazyRouteComponent(() => import('../edit/edit-page.tsx'), 'EditPage'),
});
/** `?type=node&bundle=islandora_object`; further values, such as `field_member_of=1`, fill fields in. */
const create = createRoute({
  getParentRoute: () => root,
  path: '/create',
  component: lazyRouteComponent(() => import('../edit/create-page.tsx'), 'CreatePage'),
});
const collections = createRoute({
  getParentRoute: () => root,
  path: '/collections',
  component: lazyRouteComponent(() => import('../collections/collections-page.tsx'), 'CollectionsPage'),
});
/** `?collection=books`. Ids may be any text, so the search has them, not the path. */
const collectionRecords = createRoute({
  getParentRoute: () => root,
  path: '/collections/records',
  component: lazyRouteComponent(() => import('../collections/records-page.tsx'), 'RecordsPage'),
});
/** `?collection=books&id=1` */
const collectionRecord = createRoute({
  getParentRoute: () => root,
  path: '/collections/record',
  component: lazyRouteComponent(() => import('../collections/record-page.tsx'), 'RecordPage'),
});
const addCollectionRecord = createRoute({
  getParentRoute: () => root,
  path: '/collections/add',
  component: lazyRouteComponent(() => import('../collections/add-page.tsx'), 'AddRecordPage'),
});
const traffic = createRoute({
  getParentRoute: () => root,
  path: '/traffic',
  component: lazyRouteComponent(() => import('../traffic/traffic-page.tsx'), 'TrafficPage'),
});
const worlds = createRoute({
  getParentRoute: () => root,
  path: '/worlds',
  component: lazyRouteComponent(() => import('../worlds/worlds-page.tsx'), 'WorldsPage'),
});
const faults = createRoute({
  getParentRoute: () => root,
  path: '/faults',
  component: lazyRouteComponent(() => import('../faults/faults-page.tsx'), 'FaultsPage'),
});
const coverage = createRoute({
  getParentRoute: () => root,
  path: '/coverage',
  component: lazyRouteComponent(() => import('../coverage/coverage-page.tsx'), 'CoveragePage'),
});
const interfacePage = createRoute({
  getParentRoute: () => root,
  path: '/interface',
  component: lazyRouteComponent(() => import('../interface/interface-page.tsx'), 'InterfacePage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    repository,
    entity,
    edit,
    create,
    collections,
    collectionRecords,
    collectionRecord,
    addCollectionRecord,
    traffic,
    worlds,
    faults,
    coverage,
    interfacePage,
  ]),
  history: createHashHistory(),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Search).toString(); // `validateSearch` leaves only texts
    return text === '' ? '' : `?${text}`;
  },
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
