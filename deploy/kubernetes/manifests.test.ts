import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '#server/platform/package-root.ts';

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
const manifests = read('deploy/kubernetes/app.yaml');
const settings = /^data:\n((?: {2}.*\n)+)/m.exec(manifests)?.[1] ?? '';
const valuesOf = (name: string) =>
  [...manifests.matchAll(new RegExp(`\\b${name}: (.+?)(?: }|,|$)`, 'gm'))].map(([, value]) => value);

test('sets only variables that the README describes', () => {
  const described = new Set(read('README.md').match(/`[A-Z0-9_]{4,}`/g));
  const set = [
    ...settings.matchAll(/^ {2}([A-Z0-9_]+):/gm),
    ...read('deploy/kubernetes/example-secrets.env').matchAll(/^([A-Z0-9_]+)=/gm),
  ].map(([, name]) => `\`${name}\``);
  expect(set).toContain('`PUBLIC_URL`');
  expect(set).toContain('`DATABASE_URL`');
  expect(set.filter((name) => !described.has(name))).toEqual([]);
});

test('uses the port and the user of the image, and only one version of the image', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/^EXPOSE 3000$/m);
  // The user "node" of Node's images has this id.
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(valuesOf('containerPort')).toEqual(['3000']);
  expect(new Set(valuesOf('runAsUser'))).toEqual(new Set(['1000']));
  expect(new Set(valuesOf('image')).size).toBe(1);
});

test('gives a process enough time to stop, and checks the database only for readiness', () => {
  expect(Number(valuesOf('terminationGracePeriodSeconds')[0])).toBeGreaterThan(40);
  const probes = [...manifests.matchAll(/(\w+)Probe:\n\s+httpGet: \{ path: (\S+),/g)];
  expect(probes.map(([, kind, path]) => [kind, path])).toEqual([
    ['startup', '/livez'],
    ['liveness', '/livez'],
    ['readiness', '/readyz'],
  ]);
});
