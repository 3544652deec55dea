/**
 * Explains why the secret and the publishable key do not belong together; null if they do, or if a key's mode is
 * unknown. A card saved with one key could not be charged with the other.
 */
export function findKeyProblem(secret: string | undefined, publishable: string | undefined): string | null {
  const modeOf = (key: string | undefined) => /^(?:sk|rk|pk)_(live|test)_/.exec(key?.trim() ?? '')?.[1];
  const [secretMode, publishableMode] = [modeOf(secret), modeOf(publishable)];
  if (!secretMode || !publishableMode || secretMode === publishableMode) return null;
  return `STRIPE_PUBLISHABLE_KEY is a ${publishableMode} key, but STRIPE_SECRET_KEY is a ${secretMode} key: take both from the same mode of Stripe's dashboard`;
}

/** Returns a sentence for each setting that is unsafe for a real club. */
export function findUnsafe(
  env: Record<string, string | undefined>,
  { isDemo }: { isDemo: boolean },
): string[] {
  const isProduction = env.NODE_ENV === 'production' || /^[rs]k_live_/.test(env.STRIPE_SECRET_KEY ?? '');
  const keys = (env.DATA_KEY ?? '').split(',').map((key) => key.trim());
  const { STRIPE_API_BASE: apiBase, STRIPE_API_BASE_IN_PRODUCTION: repeated } = env;
  return [
    keys.some((key) => /^(.)\1{63}$/.test(key)) &&
      'DATA_KEY must be random: this one is a single digit repeated; `npm run admin -- keys` prints a random key',
    !isDemo &&
      isProduction &&
      /^http:/i.test(env.PUBLIC_URL ?? '') &&
      'PUBLIC_URL must begin with https:// in production: otherwise passwords are sent unencrypted',
    !isDemo &&
      isProduction &&
      apiBase?.trim() &&
      apiBase !== repeated &&
      'STRIPE_API_BASE must not be set in production, because payments would go there instead of to Stripe; if you intend that, set STRIPE_API_BASE_IN_PRODUCTION to the same address',
    !isDemo &&
      isProduction &&
      env.PUSH_SERVICE_BASE?.trim() &&
      'PUSH_SERVICE_BASE must not be set in production: it is the address of the stand-in for tests',
  ].filter((problem) => typeof problem === 'string' && problem !== '') as string[];
}
