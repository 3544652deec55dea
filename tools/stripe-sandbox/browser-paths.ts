const browserPaths = [
  /^POST \/v1\/payment_methods$/,
  /^GET \/v1\/(payment|setup)_intents\/\w+$/,
  /^POST \/v1\/(payment|setup)_intents\/\w+\/confirm$/,
  /^GET \/challenge\.(js|css)$/,
  /^(GET|POST) \/challenge\/\w+$/,
];

/**
 * Whether a browser may reach this path through the app's proxy: the calls that Stripe.js makes and the 3-D Secure
 * page. `path` excludes the proxy's prefix and the query. The proxy must also replace `Authorization` with
 * the publishable key; otherwise a visitor could send the secret key.
 */
export function isBrowserRequest(method: string, path: string): boolean {
  return browserPaths.some((pattern) => pattern.test(`${method} ${path}`));
}
