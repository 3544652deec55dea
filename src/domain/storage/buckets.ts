import type { Gate } from '../access.ts';

/** The access rules and limits of one bucket. */
type Bucket = {
  /** Whether visitors can read its objects while the owner is a coach who can be booked. */
  isPublic: boolean;
  /** Who may write. The path of an object always begins with its owner's id. */
  gate: Gate;
  /** The maximum number of objects per person. */
  maxObjects: number;
  /** The longest side of each stored size of a picture in pixels, largest first. */
  sizes: readonly [number, ...number[]];
  /** `cover`: cropped to a square of exactly that size; `inside`: scaled down to fit, never enlarged. */
  fit: 'cover' | 'inside';
  acceptsPdf: boolean;
  /** The noun for one of its objects in messages to people. */
  noun: string;
};

/** Every bucket. The server, the screens, the tests and the API description derive from this list. */
export const buckets = {
  avatars: {
    isPublic: true,
    gate: 'signedIn',
    maxObjects: 1,
    sizes: [512, 128],
    fit: 'cover',
    acceptsPdf: false,
    noun: 'picture of yourself',
  },
  gallery: {
    isPublic: true,
    gate: 'coach',
    maxObjects: 12,
    sizes: [1600, 800, 400],
    fit: 'inside',
    acceptsPdf: false,
    noun: 'gallery picture',
  },
  documents: {
    isPublic: false,
    gate: 'signedIn',
    maxObjects: 50,
    sizes: [2400],
    fit: 'inside',
    acceptsPdf: true,
    noun: 'document',
  },
  attachments: {
    isPublic: false,
    gate: 'signedIn',
    maxObjects: 50,
    sizes: [2400],
    fit: 'inside',
    acceptsPdf: false,
    noun: 'attachment',
  },
} as const satisfies Record<string, Bucket>;

export type BucketName = keyof typeof buckets;
export const bucketNames = Object.keys(buckets) as BucketName[];

export const uploadLimits = {
  /** The maximum size of an uploaded file, in bytes. */
  maxBytes: 8 * 1024 * 1024,
  /** The maximum width times height, which is read from the file's header before the file is decoded. */
  maxPixels: 40_000_000,
  uploadsPerHour: 20,
  /** The storage limit per person, in bytes. */
  maxTotalBytes: 50 * 1024 * 1024,
} as const;

/** The maximum time for which anyone may cache a picture, in seconds. */
export const maxCacheSeconds = 3600;
/** How long an address that a client requests with `createSignedUrl` works, in seconds. */
export const signedSeconds = 60;
/** This many open reports hide a picture until an admin decides. */
export const reportsUntilHidden = 3;
export const maxAltLength = 300;
/** The types that a file picker offers. With this list, an iPhone converts its HEIC pictures to JPEG itself. */
export const pictureTypes = 'image/jpeg,image/png,image/webp';
export const consentSentence = 'Everyone who can be recognised has agreed';
