import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's packages, each with a program that it installs. */
const packages: Record<string, string> = {
  iproute2: 'ip',
  'util-linux': 'setpriv',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: 'patroni',
  'etcd-server': 'etcd',
  'nginx-light': 'nginx',
};

/** Explains what this machine lacks to run the cluster; null if it lacks nothing. */
export function findMissing(also: Record<string, string> = {}): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'The cluster runs in network namespaces, which only root on Linux can create.';
  }
  const missing = Object.entries({ ...packages, ...also })
    .filter(([, program]) => !(program.startsWith('/') ? existsSync(program) : isOnPath(program)))
    .map(([name]) => name);
  if (missing.length === 0) return null;
  return `Missing packages of Debian 12: ${missing.join(', ')}. Install them: apt-get install --no-install-recommends ${missing.join(' ')}`;
}

const isOnPath = (program: string): boolean => spawnSync('which', [program]).status === 0;
