/** An area may use those before it, never those after it. */
const areas = [
  'notifications',
  'storage',
  'settings',
  'accounts',
  'businesses',
  'catalogue',
  'payments',
  'bookings',
  'payouts',
];

const tests = '\\.(test|test-support)\\.tsx?$';
const anyArea = `(${areas.join('|')})`;
const serverRoots = '^src/server/(main|serve|app|worker|admin|public-pages|discover-page|site-files)\\.ts$';
const webRoots = '^src/web/((main|routes)\\.tsx|public-page\\.ts)$';

/** @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule */

const areaOrder = areas.slice(0, -1).map((area, place) => ({
  name: `area-order-${area}`,
  comment: `${area} comes before the area it imports. Move the act to the later area, or enqueue a job it handles.`,
  from: { path: `^src/(domain|server|web)/${area}/`, pathNot: tests },
  to: { path: `^src/(domain|server|web)/(${areas.slice(place + 1).join('|')})/` },
}));

/** @type {{ name: string, comment?: string, from: object, to: object }[]} */
const rules = [
  ...areaOrder,
  {
    name: 'domain-is-pure',
    comment: 'The domain imports zod and itself: no I/O, no clock, no React, no Node.',
    from: { path: '^src/domain/', pathNot: tests },
    to: { pathNot: ['^src/domain/', '^node_modules/zod/'] },
  },
  {
    name: 'domain-kernel-knows-no-area',
    comment: 'The files directly in src/domain serve every area and know none.',
    from: { path: '^src/domain/[^/]+\\.ts$', pathNot: tests },
    to: { path: '^src/domain/[^/]+/' },
  },
  {
    name: 'platform-knows-no-area',
    comment: 'Plumbing names no area: hand it what it needs from a composition root.',
    from: { path: '^src/server/platform/', pathNot: tests },
    to: { path: ['^src/domain/[^/]+/', '^src/server/(?!platform/)'] },
  },
  {
    name: 'ui-knows-no-area',
    comment: 'Components of web/ui take what they show as properties.',
    from: { path: '^src/web/ui/', pathNot: tests },
    to: { path: ['^src/domain/[^/]+/', '^src/web/(?!ui/)'] },
  },
  {
    name: 'app-knows-early-areas-only',
    comment:
      'Session and layouts may use accounts and what comes before it; every area may use them in turn.',
    from: { path: '^src/web/app/', pathNot: tests },
    to: { path: `^src/(domain|web)/(${areas.slice(areas.indexOf('accounts') + 1).join('|')})/` },
  },
  {
    name: 'web-apart-from-server',
    comment: 'The browser reaches the server through the contracts in src/domain only.',
    from: { path: '^src/web/' },
    to: { path: '^src/(server|sandbox)/' },
  },
  {
    name: 'server-apart-from-web',
    from: { path: '^src/server/' },
    to: { path: '^src/web/' },
  },
  {
    name: 'pages-draw-only',
    comment:
      'A page of the server gets what it shows as properties; it may use the domain and the components of web/ui.',
    from: { path: '^src/pages/', pathNot: [tests, '^src/pages/discover\\.tsx$'] },
    to: { path: '^src/', pathNot: ['^src/(pages|domain)/', '^src/web/ui/'] },
  },
  {
    name: 'pages-drawn-by-roots-only',
    comment: 'Only a composition root of the server puts data and page together.',
    from: { path: '^src/', pathNot: [tests, '^src/pages/', serverRoots] },
    to: { path: '^src/pages/' },
  },
  {
    name: 'sandbox-stands-alone',
    comment:
      'A stand-in for a third party knows nothing of the product; only the composition roots launch it.',
    from: { path: '^src/sandbox/', pathNot: tests },
    to: { path: '^src/(domain|server|web|pages)/' },
  },
  {
    name: 'sandbox-launched-by-roots-only',
    from: { path: '^src/', pathNot: [tests, '^src/sandbox/', serverRoots, '^src/server/demo/'] },
    to: { path: '^src/sandbox/' },
  },
  {
    name: 'roots-are-not-imported',
    comment: 'Composition roots know every area, so nothing but another root may know them.',
    from: { path: '^src/', pathNot: [tests, serverRoots, webRoots, '^src/server/demo/'] },
    to: { path: [serverRoots, webRoots, '^src/server/demo/'] },
  },
  {
    name: 'areas-stay-in-their-side',
    comment: 'Only areas, composition roots, app and the demo club know areas.',
    from: {
      path: '^src/(server|web)/',
      pathNot: [
        tests,
        `^src/(server|web)/${anyArea}/`,
        serverRoots,
        webRoots,
        '^src/server/demo/',
        '^src/web/app/',
      ],
    },
    to: { path: `^src/(domain|server|web)/${anyArea}/` },
  },
  {
    name: 'tests-are-not-imported',
    from: { pathNot: tests },
    to: { path: tests },
  },
  {
    name: 'no-cycle',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'Nothing imports this file and it imports nothing: wire it up or delete it.',
    from: { orphan: true, path: '^src/.*\\.tsx?$', pathNot: [tests, '\\.d\\.ts$', webRoots] },
    to: {},
  },
  {
    name: 'resolvable',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'server-runs-without-dev-dependencies',
    comment: 'What the built server imports belongs to "dependencies" in package.json.',
    from: { path: '^src/(domain|server|sandbox)/', pathNot: tests },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules.map((rule) => /** @type {Rule} */ ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 offers no parser to other programs; without swc not one module would be seen.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
