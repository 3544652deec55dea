/** Limits of a connection for live updates. Times are in milliseconds, sizes in bytes. */
export const realtimeLimits = {
  topicsPerConnection: 10,
  connectionsPerPerson: 5,
  /** Signed-out connections with a topic, per IP address. */
  signedOutPerAddress: 20,
  /** Connections per IP address that have not shown a token: many people behind one address may reconnect at once. */
  strangersPerAddress: 200,
  frameBytes: 16 * 1024,
  /** The connection is closed at once by a frame that is larger still. */
  readableBytes: 64 * 1024,
  framesPerWindow: 30,
  windowMs: 10_000,
  /** What exceeds a limit is refused with a reply; this refusal closes the connection. */
  closingRefusal: 3,
  slotsPerWatch: 100,
  /** The shortest time between two messages about one slot. */
  slotEveryMs: 500,
  /** Above this much unsent data, only the newest message of each kind waits for the reader. */
  unsentBytes: 256 * 1024,
  /** A reader that stays above it this long, or for whom this many messages wait, is disconnected. */
  slowMs: 15_000,
  slowMessages: 1_000,
  /** After this long without a sign of life a ping is sent; after twice this long, the connection is dropped. */
  inactiveMs: 40_000,
  /** A connection without any topic is closed after this long. */
  idleMs: 30_000,
};
export type RealtimeLimits = typeof realtimeLimits;
