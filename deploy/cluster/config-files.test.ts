import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitHosts } from '#server/platform/db/database-hosts.ts';
import { configFilesOf, nginxSite, plainNginxSite } from './config-files.ts';
import { type Host, hostsSchema } from './hosts.ts';

const passwords = { superuser: 'one', replication: 'two', app: 'three' };
const hosts = hostsSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'example-hosts.json'), 'utf8')),
);
const [first, , third] = hosts.databases as [Host, Host, Host];
const fourth = { name: 'db4', address: '10.0.0.14' };
const textOf = (host: Host, path: string, all = hosts) =>
  configFilesOf(all, host, passwords).find((file) => file.path === path)?.text;
const lineOf = (text: string | undefined, name: string) =>
  text
    ?.split('\n')
    .find((line) => line.trim().startsWith(name))
    ?.trim();

test('points the product at every database server', () => {
  const text = textOf(hosts.apps[0]!, '/etc/app.env');
  const address = /^DATABASE_URL='(.*)'$/m.exec(text!)![1]!;
  expect(splitHosts(address).map((url) => new URL(url).host)).toEqual([
    '10.0.0.11:5432',
    '10.0.0.12:5432',
    '10.0.0.13:5432',
  ]);
  expect(lineOf(text, 'DATABASE_REPLICA_URL')).toContain('@10.0.0.11:5432,10.0.0.12:5432,10.0.0.13:5432/app');
  expect(lineOf(text, 'TRUST_PROXY')).toBe("TRUST_PROXY='10.0.0.31'");
  expect(lineOf(text, 'HOST')).toBe("HOST='10.0.0.21'");
});

test('makes the first three of four database servers etcd members', () => {
  const grown = { ...hosts, databases: [...hosts.databases, fourth] };
  const members = 'db1=http://10.0.0.11:2380,db2=http://10.0.0.12:2380,db3=http://10.0.0.13:2380';
  expect(lineOf(textOf(third, '/etc/default/etcd', grown), 'ETCD_INITIAL_CLUSTER=')).toBe(
    `ETCD_INITIAL_CLUSTER=${members}`,
  );
  expect(textOf(fourth, '/etc/default/etcd', grown)).toBeUndefined();
  expect(lineOf(textOf(fourth, '/etc/patroni/config.yml', grown), 'hosts:')).toBe(
    'hosts: 10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379',
  );
});

test('sets up synchronous replication, and failover within 15 s', () => {
  const text = textOf(first, '/etc/patroni/config.yml');
  const secondsOf = (name: string) => Number(lineOf(text, `${name}:`)!.split(' ')[1]);
  expect(lineOf(text, 'synchronous_mode:')).toBe('synchronous_mode: true');
  expect(secondsOf('ttl')).toBeGreaterThanOrEqual(secondsOf('loop_wait') + 2 * secondsOf('retry_timeout'));
  expect(secondsOf('ttl') + secondsOf('loop_wait')).toBeLessThanOrEqual(15);
  expect(lineOf(text, 'mode:')).toBe('mode: automatic');
  expect(lineOf(text, 'superuser:')).toContain('password: one');
});

test('lists every process in the documented nginx configuration', () => {
  const processes = hosts.apps.map(({ address }) => `${address}:3000`);
  const servers = (site: string) =>
    [...site.matchAll(/^ {2}server (\S+) max_fails=0;$/gm)].map(([, to]) => to);
  expect(servers(nginxSite(processes))).toEqual(processes);
  const plain = plainNginxSite(processes, '10.0.0.31:80');
  expect(servers(plain)).toEqual(processes);
  expect(plain).toContain('listen 10.0.0.31:80;');
  expect(plain).not.toMatch(/ssl|listen 80;/);
});
