import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { screenModules } from './scripts/screen-modules.ts';
import { withoutServerParts } from './scripts/without-server-parts.ts';
import { defaultBrand } from './src/domain/default-brand.ts';
import { siteTextSlugs } from './src/domain/pages.ts';

const api = `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`;

/** In development: the server-rendered pages, with Vite's additions for hot reload. */
function serverPages(): Plugin {
  const ours = new RegExp(`^/(coaches/[^/]*|${siteTextSlugs.join('|')})?(\\?.*)?$`);
  return {
    name: 'server-pages',
    apply: 'serve',
    // The server puts the brand into the built page, but Vite serves this one.
    transformIndexHtml: (html) => html.replaceAll('{brand}', defaultBrand),
    configureServer(vite) {
      vite.middlewares.use(async (request, response, next) => {
        const { url = '', method } = request;
        if (method !== 'GET' || !ours.test(url)) return next();
        try {
          const answer = await fetch(api + url);
          const html = await vite.transformIndexHtml(url, await answer.text());
          response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}

/** For a group of scripts: without the modules that these import, such as schemas that nothing in the group uses. */
const alone = { includeDependenciesRecursively: false };

/** Builds the web app into dist/web; in development the server's paths are proxied to the API at $API_PORT. */
export default defineConfig({
  publicDir: 'src/web/public',
  // The shim replaces a hook that React has had since version 18.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector.js' },
  },
  plugins: [withoutServerParts(), screenModules(), serverPages(), react(), tailwindcss()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The shell holds these lists. What has been loaded already, or is being loaded by the import itself, is left out.
      resolveDependencies: (file, files, { hostType }) =>
        hostType === 'html'
          ? files
          : files.filter((other) => other !== file && !/assets\/(vendor|shell|index)-/.test(other)),
    },
    reportCompressedSize: true,
    // Tells the server the hashed file names that its pages load, and the size check which file holds what.
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'src/web/public-page.ts', 'src/site/pages.css'],
      output: {
        // The shell holds the names of all files: a hash does not compress, and Rolldown needs seven characters of it.
        chunkFileNames: ({ name }) =>
          /^(vendor|shell|kit)$/.test(name) ? `assets/${name}-[hash:7].js` : 'assets/[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // The libraries that every page needs, in one file: it compresses better, and stays cached when only our
            // own code changes.
            {
              name: 'vendor',
              test: (id) =>
                /node_modules[\\/](react|react-dom|scheduler|@tanstack|clsx)[\\/]/.test(id) &&
                // Needed only by screens that change data, by paged lists, and by forms that ask before they are left.
                !/mutationObserver|useMutation|infiniteQuery|queriesObserver|useQueries|useInfinite|useBlocker/i.test(
                  id,
                ),
              priority: 2,
            },
            // Each file costs a request, so small modules are bundled: those of our own that every page needs, and
            // those that several screens share.
            {
              name: 'shell',
              tags: ['$initial'],
              test: (id) =>
                /src[\\/].*\.(tsx?|json)$|preload-helper/.test(id) &&
                !/web[\\/](main|public-page)\.tsx?$/.test(id),
              priority: 1,
              ...alone,
            },
            {
              name: 'kit',
              test: /lucide-react|src[\\/](domain[\\/](money|time|sports|sport-hues|location-text|catalogue[\\/]age-text)|web[\\/]ui[\\/](?!overlay[\\/](?!failure-toast)|(?:.*[\\/])?(?:date-|tabs)))/,
              // One of the four is the component gallery, which uses all of these modules.
              minShareCount: 4,
              priority: 1,
              ...alone,
            },
            // Dialogs and menus, which most pages show only after a press.
            {
              name: 'overlay',
              test: /@radix-ui[\\/]react-(alert-dialog|dialog|dismissable|focus|portal|presence)|aria-hidden|react-remove-scroll|web[\\/]ui[\\/]overlay[\\/](confirm-dialog|dialog|form-dialog|discard)/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'form',
              test: /node_modules[\\/]react-hook-form[\\/]|web[\\/]app[\\/]api[\\/]use-refusal/,
              ...alone,
            },
            // Small modules that every page needs after its first paint, and some pages before it.
            {
              name: 'small',
              test: /web[\\/](app[\\/]live[\\/]watched-slots|ui[\\/]small-screen)\.|lucide-react.*[\\/]circle-check\./,
              ...alone,
            },
            // The pages for signing in and up, which people open one after the other.
            {
              name: 'sign-in',
              test: /web[\\/]auth[\\/](sign-in|emailed-links)[\\/]/,
              minShareCount: 2,
              ...alone,
            },
            // The contracts and rules that several screens use, in one file because such a screen uses many. Discover
            // needs none of them.
            { name: 'domain', test: /src[\\/]domain[\\/][^?]*$/, minShareCount: 3, ...alone },
            // What forms validate with: the schemas of the domain, and the validation library.
            {
              name: 'validation',
              test: /node_modules[\\/](zod|@hookform)[\\/]|\?schemas$|src[\\/]domain[\\/]text\.ts$/,
              minShareCount: 2,
              priority: 2,
              ...alone,
            },
            // What screens that change data or show paged lists add to the vendor file.
            { name: 'data', test: /node_modules[\\/]@tanstack[\\/]/, minShareCount: 2, ...alone },
            // Small modules that several screens share.
            {
              name: 'parts',
              test: /src[\\/]web[\\/](?!ui[\\/]|app[\\/]live[\\/])/,
              minShareCount: 4,
              maxModuleSize: 4_000,
              ...alone,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': api,
      '/auth': api,
      '/realtime': { target: api, ws: true },
      '/sandbox': api,
      '/healthz': api,
      '/manifest.webmanifest': api,
      '/robots.txt': api,
      '/sitemap.xml': api,
    },
  },
});
