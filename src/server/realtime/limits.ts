/** Limits of a connection for live updates. Times are in milliseconds, sizes in bytes. */
export const realtimeLimits = {
  topicsPerConnection: 10,
  connectionsPerPerson: 5,
  /** How long the connections of a person at this limit have to answer a ping. */
  pongMs: 2_000,
  /** Signed-out connections with a topic, per IP address. */
  signedOutPerAddress: 20,
  /** Connections without a valid token, per IP address: many people behind one address may reconnect together. */
  strangersPerAddress: 200,
  frameBytes: 16 * 1024,
  /** A frame larger than this closes the connection without a reply. */
  readableBytes: 64 * 1024,
  framesPerWindow: 30,
  windowMs: 10_000,
  /** Frames that exceed a limit are refused with a reply. After this many refusals, the connection is closed. */
  closingRefusal: 3,
  slotsPerWatch: 100,
  /** The time between two reads of new changes. */
  changesEveryMs: 250,
  /** The shortest time between two messages about one slot. */
  slotEveryMs: 500,
  /** Above this much unsent data, messages wait for the reader. A newer message replaces one with the same key. */
  unsentBytes: 256 * 1024,
  /** A reader is disconnected if messages have waited for this long, or if more than `slowMessages` are waiting. */
  slowMs: 15_000,
  slowMessages: 1_000,
  /** After this long without a message or pong, a ping is sent; after twice this long, the connection is dropped. */
  inactiveMs: 40_000,
  /** A connection that has no topic is closed after it has been open for this long. */
  idleMs: 30_000,
};
export type RealtimeLimits = typeof realtimeLimits;
