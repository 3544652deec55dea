import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './hosts.ts';
import { startOn } from './namespaces.ts';
import { type Cluster, clusterFolder, folderOf } from './state.ts';

/**
 * Starts PgBouncer in session mode beside a process, to measure what it costs. Returns the process's
 * DATABASE_URL. PgBouncer 1.18 connects to one fixed server, so it does not follow a promotion.
 */
export async function startPooler({ passwords }: Cluster, host: Host, primary: Host): Promise<string> {
  const folder = join(folderOf(host), 'pgbouncer');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
app = host=${primary.address} dbname=app user=app password=${passwords.app}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = 6432
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 40
max_client_conn = 100
`,
    { mode: 0o600 },
  );
  execFileSync('chown', ['-R', 'postgres:', folder]);
  const program = { command: ['pgbouncer', '-q', file], user: 'postgres' };
  startOn(host, program, join(clusterFolder, `${host.name}-pgbouncer.log`));
  return 'postgres://app:any@127.0.0.1:6432/app';
}
