import { z } from 'zod';

const host = z.object({ name: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), address: z.ipv4() });

/**
 * The servers of a cluster. `network` (CIDR) contains all of them; PostgreSQL accepts connections from it with a
 * password.
 */
export const hostsSchema = z.object({
  network: z.cidrv4(),
  databases: z.array(host).min(3),
  apps: z.array(host).min(1),
  proxies: z.array(host).min(1),
});

export type Host = z.output<typeof host>;
export type Hosts = z.output<typeof hostsSchema>;

/** Passwords in PostgreSQL. They are written into YAML and URLs, so they have only letters and digits. */
export type Passwords = { superuser: string; replication: string; app: string };

/** etcd needs an odd number of members. Further database servers use these three. */
export const etcdHostsOf = ({ databases }: Hosts): Host[] => databases.slice(0, 3);
