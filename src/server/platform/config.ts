import { z } from 'zod';
import { findKeyProblem, findUnsafe } from './config-problems.ts';
import { defaultStatementTimeoutMs } from './db/db.ts';
import { bounceAddress, sender } from './email-settings.ts';
import type { DataKeys } from './encryption.ts';
import { readTrustedProxies, type TrustedProxies } from './http/trusted-proxy.ts';
import { findPushProblem, type PushSettings, readPushSettings } from './push-settings.ts';
import { readStorageSettings, type StorageSettings } from './storage-settings.ts';

/** A private key in the JWK set for access tokens (ES256). The first key signs; every key verifies. */
const signingKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});
export type SigningKey = z.output<typeof signingKey>;

const jsonOf = <T extends z.ZodType>(schema: T, hint: string) =>
  z.string().transform((text, context): z.output<T> => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: hint });
      return z.NEVER;
    }
  });

const trustedProxies = z
  .string()
  .default('0')
  .transform((text, context): TrustedProxies => {
    try {
      return readTrustedProxies(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

const wholeBetween = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};

/** `DATA_KEY`: one key, or several separated by commas. */
const dataKeyList = z
  .string()
  .regex(
    /^\s*[0-9a-f]{64}\s*(,\s*[0-9a-f]{64}\s*)*$/i,
    'must be 64 hexadecimal digits, or several such keys separated by commas; `npm run admin -- keys` prints one',
  )
  .transform((text) => text.split(',').map((key) => key.trim()) as unknown as DataKeys);

/** Parses the value of `DATA_KEY`, for commands that need no other setting. Throws {@link ConfigError}. */
export function readDataKeys(text: string | undefined): DataKeys {
  const parsed = dataKeyList.safeParse(text ?? '');
  if (!parsed.success) throw new ConfigError(`DATA_KEY ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

// An empty variable in an env file counts as missing.
const optional = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional();

const empty = z.literal('').transform(() => undefined);
const secretToken = z
  .string()
  .regex(/^[\w-]{16,}$/, 'must have at least 16 characters, only letters, digits, - and _');

const environment = z.object({
  NODE_ENV: optional,
  PORT: wholeBetween(0, 65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: z.url('must be the address people type, such as https://club.example').optional(),
  TRUST_PROXY: trustedProxies,
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://'),
  DATABASE_REPLICA_URL: optional,
  DATABASE_POOL_SIZE: wholeBetween(2, 200).default(12),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeBetween(500, 60_000).default(defaultStatementTimeoutMs),
  AUTH_SIGNING_KEYS: jsonOf(
    z.array(signingKey).min(1),
    'must be a JSON list of private ES256 keys (JWK); `npm run admin -- keys` prints one',
  ),
  DATA_KEY: dataKeyList,
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_PUBLISHABLE_KEY: optional,
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  STRIPE_API_BASE: optional,
  STRIPE_API_BASE_IN_PRODUCTION: optional,
  SMTP_URL: optional,
  MAIL_FROM: sender,
  MAIL_OUTBOX: optional,
  BOUNCE_ADDRESS: bounceAddress.optional().or(empty),
  BOUNCE_SECRET: secretToken.optional().or(empty),
  CHANGE_NOTICE_SECONDS: wholeBetween(0, 600).default(60),
  VISITOR_CACHE_SECONDS: wholeBetween(0, 60).default(1),
  ADMIN_TWO_STEP: z.enum(['', 'required'], 'must be "required" or left out').optional(),
  STORAGE_DIR: optional,
  S3_BUCKET: optional,
  S3_REGION: optional,
  S3_ENDPOINT: optional,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  METRICS_TOKEN: secretToken.optional().or(empty),
  VAPID_PUBLIC_KEY: optional,
  VAPID_PRIVATE_KEY: optional,
  PUSH_SERVICE_BASE: optional,
});

const descriptions: Record<string, string> = {
  DATABASE_URL: 'address of the PostgreSQL database',
  AUTH_SIGNING_KEYS: 'keys that sign sessions; `npm run admin -- keys` prints one',
  DATA_KEY:
    'key that encrypts bank details, care details and other secrets; `npm run admin -- keys` prints one',
  STRIPE_SECRET_KEY: "Stripe's secret key (sk_…)",
  STRIPE_WEBHOOK_SECRET: "the signing secret of Stripe's webhook endpoint (whsec_…)",
  SMTP_URL: 'address of the mail server, such as smtps://user:password@mail.example',
  PUBLIC_URL: 'the address people type, such as https://club.example',
  S3_ACCESS_KEY_ID: 'the access key for the bucket in S3_BUCKET',
  S3_SECRET_ACCESS_KEY: 'the secret of S3_ACCESS_KEY_ID',
};

/** The configuration of one process, read once at startup. */
export type Config = {
  /** True only for the demo: the embedded database, with demo accounts, the Stripe simulator and an outbox page. */
  isDemo: boolean;
  /** True under `npm run dev`: pages load the web app's sources from Vite's development server. */
  isDevelopment: boolean;
  port: number;
  host: string;
  /** Without a trailing slash. */
  publicUrl: string;
  trustProxy: TrustedProxies;
  logLevel: string;
  databaseUrl: string;
  replicaUrl: string | undefined;
  poolSize: number;
  /** Milliseconds after which PostgreSQL cancels a statement. A statement waits for a lock for at most half as long. */
  statementTimeoutMs: number;
  signingKeys: SigningKey[];
  dataKeys: DataKeys;
  stripe: {
    secretKey: string;
    publishableKey: string | undefined;
    webhookSecret: string;
    /** The base URL of the Stripe simulator; undefined for Stripe's own API. */
    apiBase: string | undefined;
  };
  /** If true, all admin calls are refused for admins without an authenticator app. */
  isAdminTwoStepRequired: boolean;
  /** The bearer token for /metrics; if undefined, /metrics returns 404. */
  metricsToken: string | undefined;
  storage: StorageSettings;
  email: {
    smtpUrl: string | undefined;
    outbox: string | undefined;
    from: string;
    /** The mailbox to which undeliverable emails are returned; undefined for none. */
    bounceAddress: string | undefined;
    /** The bearer token of /webhooks/email-bounces; if undefined, that URL returns 404. */
    bounceSecret: string | undefined;
  };
  /** The web push settings; undefined if push is not set up. */
  push: PushSettings | undefined;
  /**
   * The delay in seconds before customers are notified of a change to their lesson, so that a coach who immediately
   * corrects the change causes only one notification.
   */
  changeNoticeSeconds: number;
  /** Seconds for which visitors share a response. 0 turns the cache off. */
  visitorCacheSeconds: number;
};

/** The configuration is invalid. The message names each missing or invalid variable. */
export class ConfigError extends Error {}

/** Variables that suggest an installation for a real club. */
const realOnly = [
  ...['AUTH_SIGNING_KEYS', 'DATA_KEY', 'DATABASE_REPLICA_URL', 'SMTP_URL'],
  ...['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'VAPID_PRIVATE_KEY'],
];

/**
 * Throws {@link ConfigError} if an environment without DATABASE_URL seems to be meant for a real club: the demo's
 * passwords are public, so the demo must never start by mistake.
 */
export function assertDemo(env: Record<string, string | undefined>): void {
  const name =
    env.NODE_ENV === 'production' ? 'NODE_ENV' : realOnly.find((candidate) => env[candidate]?.trim());
  if (!name) return;
  throw new ConfigError(
    `DATABASE_URL is missing: ${descriptions.DATABASE_URL}.
Without it, the demo club would start with publicly known passwords, but ${name} suggests that this is a real club.
Set DATABASE_URL, or remove ${name} to try the demo.`,
  );
}

/**
 * Reads the configuration from environment variables (listed in README). Throws {@link ConfigError}, whose message
 * lists everything that is missing or invalid.
 */
export function readConfig(env: Record<string, string | undefined>, { isDemo = false } = {}): Config {
  const parsed = environment.safeParse(env);
  const problems: string[] = [];
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = String(issue.path[0]);
      problems.push(
        env[name]
          ? `  ${name} ${issue.message}`
          : `  ${name} is missing: ${descriptions[name] ?? issue.message}`,
      );
    }
  }
  for (const name of ['SMTP_URL', 'PUBLIC_URL']) {
    const isCovered = env[name] || (name === 'SMTP_URL' && env.MAIL_OUTBOX);
    if (!isDemo && !isCovered) problems.push(`  ${name} is missing: ${descriptions[name]}`);
  }
  if (env.S3_BUCKET?.trim()) {
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      if (!env[name]?.trim()) problems.push(`  ${name} is missing: ${descriptions[name]}`);
    }
  }
  problems.push(...findUnsafe(env, { isDemo }).map((problem) => `  ${problem}`));
  const keyProblem = findKeyProblem(env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY);
  if (keyProblem) problems.push(`  ${keyProblem}`);
  const pushProblem = findPushProblem(env.VAPID_PUBLIC_KEY, env.VAPID_PRIVATE_KEY);
  if (pushProblem) problems.push(`  ${pushProblem}`);
  if (problems.length > 0 || !parsed.success) {
    throw new ConfigError(
      `The configuration is incomplete or invalid:\n${[...new Set(problems)].sort().join('\n')}`,
    );
  }
  const e = parsed.data;
  return {
    isDemo,
    isDevelopment: e.NODE_ENV === 'development',
    port: e.PORT,
    host: e.HOST,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
    databaseUrl: e.DATABASE_URL,
    replicaUrl: e.DATABASE_REPLICA_URL,
    poolSize: e.DATABASE_POOL_SIZE,
    statementTimeoutMs: e.DATABASE_STATEMENT_TIMEOUT_MS,
    signingKeys: e.AUTH_SIGNING_KEYS,
    dataKeys: e.DATA_KEY,
    stripe: {
      secretKey: e.STRIPE_SECRET_KEY,
      publishableKey: e.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: e.STRIPE_WEBHOOK_SECRET,
      apiBase: e.STRIPE_API_BASE,
    },
    isAdminTwoStepRequired: e.ADMIN_TWO_STEP === 'required',
    metricsToken: e.METRICS_TOKEN,
    storage: readStorageSettings({ ...e, DATA_DIR: env.DATA_DIR }),
    email: {
      smtpUrl: e.SMTP_URL,
      outbox: e.MAIL_OUTBOX,
      from: e.MAIL_FROM,
      bounceAddress: e.BOUNCE_ADDRESS,
      bounceSecret: e.BOUNCE_SECRET,
    },
    push: readPushSettings(e),
    changeNoticeSeconds: e.CHANGE_NOTICE_SECONDS,
    visitorCacheSeconds: e.VISITOR_CACHE_SECONDS,
  };
}
