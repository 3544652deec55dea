import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`;

/** Builds the web app into dist/web; in development the server's paths are handed on to the API at $API_PORT. */
export default defineConfig({
  publicDir: 'src/web/public',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs, in one file: packs better, and stays cached when only our own code changed.
          groups: [
            {
              name: 'vendor',
              test: (id) =>
                /node_modules[\\/](react|react-dom|scheduler|@tanstack|clsx)[\\/]/.test(id) &&
                // What only lists that go on need.
                !/infiniteQuery|queriesObserver|useQueries|useInfinite/i.test(id),
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
      '/sandbox': api,
      '/healthz': api,
    },
  },
});
