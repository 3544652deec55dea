import { areas } from './scripts/areas.mjs';

const tests = '\\.(test|test-support)\\.tsx?$';
const anyArea = `(${areas.join('|')})`;
/** The composition roots: the programs, and the pages rendered without hydration. */
const serverRoots =
  '^src/server/((main|serve|app|api-areas|api-description|encrypted-tables|worker|commands)\\.ts$|site/)';
const webRoots = '^src/web/((main|routes)\\.tsx|public-page\\.ts)$';
/** Render screens of the app, so they are the only server files that use React and the browser's code. */
const rendersScreen =
  '^src/server/(discover/render-discover|auth/sign-in/render-sign-in|platform/ssr/render-app)\\.tsx$';
/** Renders emails with React, which is bundled into the built server. */
const rendersEmails = '^src/server/notifications/email/email-(layout\\.tsx|styles\\.ts)$';

/** @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule */

const areaOrder = areas.slice(0, -1).map((area, index) => ({
  name: `area-order-${area}`,
  comment: `${area} comes before the area it imports. Move the code to the later area, or enqueue a job that it handles.`,
  from: { path: `^src/(domain|server|web)/${area}/`, pathNot: tests },
  to: { path: `^src/(domain|server|web)/(${areas.slice(index + 1).join('|')})/` },
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
    comment:
      'The files directly in src/domain serve every area and know none of them; jobs.ts lists the jobs of all areas.',
    from: { path: '^src/domain/[^/]+\\.ts$', pathNot: [tests, '^src/domain/jobs\\.ts$'] },
    to: { path: '^src/domain/[^/]+/' },
  },
  {
    name: 'platform-knows-no-area',
    comment: 'Infrastructure names no area: pass it what it needs from a composition root.',
    from: { path: '^src/server/platform/', pathNot: tests },
    to: { path: ['^src/domain/[^/]+/', '^src/server/(?!platform/)'] },
  },
  {
    name: 'embedded-knows-no-area',
    comment: 'The embedded PostgreSQL, its backups and secrets use only the platform.',
    from: { path: '^src/server/embedded/', pathNot: tests },
    to: { path: ['^src/domain/[^/]+/', '^src/server/(?!(platform|embedded)/)'] },
  },
  {
    name: 'embedded-used-by-roots-only',
    comment: 'An area runs on any PostgreSQL; only the programs start the embedded one.',
    from: { path: '^src/', pathNot: [tests, serverRoots, '^src/server/(embedded|demo)/'] },
    to: { path: '^src/server/embedded/' },
  },
  {
    name: 'ui-knows-no-area',
    comment: 'Components of web/ui get the data that they show as props.',
    from: { path: '^src/web/ui/', pathNot: tests },
    to: { path: ['^src/domain/[^/]+/', '^src/web/(?!ui/)'] },
  },
  {
    name: 'app-knows-early-areas-only',
    comment: 'Session and layouts may use accounts and the areas before it; every area may use them in turn.',
    from: { path: '^src/web/app/', pathNot: tests },
    to: { path: `^src/(domain|web)/(${areas.slice(areas.indexOf('accounts') + 1).join('|')})/` },
  },
  {
    name: 'web-apart-from-server',
    comment: 'The browser reaches the server through the contracts in src/domain only.',
    from: { path: '^src/web/' },
    to: { path: '^(src/server|tools)/' },
  },
  {
    name: 'server-apart-from-web',
    from: { path: '^src/server/', pathNot: rendersScreen },
    to: { path: '^src/web/' },
  },
  {
    name: 'site-renders-only',
    comment:
      'A page of the server gets the data that it shows as props; it may use the domain and the components of web/ui.',
    from: { path: '^src/site/', pathNot: tests },
    to: { path: '^src/', pathNot: ['^src/(site|domain)/', '^src/web/ui/'] },
  },
  {
    name: 'site-rendered-by-roots-only',
    comment: 'Only a composition root of the server combines data and page.',
    from: { path: '^src/', pathNot: [tests, '^src/site/', serverRoots] },
    to: { path: '^src/site/' },
  },
  {
    name: 'tools-stand-alone',
    comment: 'A stand-in for a third party knows nothing of the product; only composition roots start it.',
    from: { path: '^tools/', pathNot: tests },
    to: { path: '^src/' },
  },
  {
    name: 'tools-launched-by-roots-only',
    from: { path: '^src/', pathNot: [tests, serverRoots, '^src/server/demo/'] },
    to: { path: '^tools/' },
  },
  {
    name: 'roots-are-not-imported',
    comment: 'Composition roots know every area, so only other roots may import them.',
    from: { path: '^src/', pathNot: [tests, serverRoots, webRoots, '^src/server/demo/'] },
    to: { path: [serverRoots, webRoots, '^src/server/demo/'] },
  },
  {
    name: 'areas-stay-in-their-side',
    comment: 'Only areas, composition roots, app and the demo club may import areas.',
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
    // Fault injection is a test as well, and sets up its club as the other tests do.
    from: { pathNot: [tests, '^chaos/'] },
    to: { path: tests },
  },
  {
    name: 'no-cycle',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'Nothing imports this file and it imports nothing. Use it or delete it.',
    from: { orphan: true, path: '^(src|tools)/.*\\.tsx?$', pathNot: [tests, '\\.d\\.ts$', webRoots] },
    to: {},
  },
  {
    name: 'resolvable',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'server-runs-without-dev-dependencies',
    comment: 'Packages that the built server imports belong in "dependencies" in package.json.',
    from: { path: '^(src/(domain|server)|tools)/', pathNot: [tests, rendersScreen, rendersEmails] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules.map((rule) => /** @type {Rule} */ ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 offers no parser to other programs. Without swc, no module would be seen.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
