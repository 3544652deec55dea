import { readFileSync } from 'node:fs';
import { packageRoot } from '#server/platform/package-root.ts';

/** A `page.route` pattern for the script built from a module, such as `src/web/auth/sign-in/login.tsx`. */
export function builtScript(module: string): string {
  const manifest = JSON.parse(readFileSync(`${packageRoot}/dist/web/.vite/manifest.json`, 'utf8')) as Record<
    string,
    { file: string }
  >;
  const entry = manifest[module];
  if (!entry) throw new Error(`${module} has no script of its own`);
  return `**/${entry.file}`;
}
