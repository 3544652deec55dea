import { z } from 'zod';

const host = z.object({ name: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), address: z.ipv4() });

/**
 * The servers of a cluster. `network` (CIDR) contains all of them; PostgreSQL accepts connections from this
 * network, with a password.
 */
export const hostsSchema = z.object({
  network: z.cidrv4(),
  databases: z.array(host).min(3),
  apps: z.array(host).min(1),
  proxies: z.array(host).min(1),
});

export type Host = z.output<typeof host>;
export type Hosts = z.output<typeof hostsSchema>;

/** Passwords in PostgreSQL. They are written into YAML and URLs, so they contain only letters and digits. */
export type Passwords = { superuser: string; replication: string; app: string };

/** The members of etcd, of which there must be an odd number. Further database servers use these three. */
export const etcdHostsOf = ({ databases }: Hosts): Host[] => databases.slice(0, 3);
