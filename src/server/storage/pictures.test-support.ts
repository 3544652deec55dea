import { StorageClient } from '@supabase/storage-js';
import sharp from 'sharp';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';

/** The storage client of a person, or of a visitor (null), for the server at `url`. */
export const storageOf = (url: string, who: Pick<Someone, 'token'> | null): StorageClient =>
  new StorageClient(`${url}/storage/v1`, who ? { authorization: `Bearer ${who.token}` } : {});

/** A latitude in London, in degrees, minutes and seconds, as a phone writes it. */
export const gpsText = '51/1 30/1 2662/100';

type PictureOptions = {
  width?: number;
  height?: number;
  format?: 'jpeg' | 'png' | 'webp';
  /** The EXIF orientation; 6 means that the phone was held upright. */
  orientation?: number;
};

/**
 * Makes a picture whose left half is red and whose right half is blue, with the metadata that a phone adds: GPS, the
 * owner's name, XMP and a colour profile.
 */
export async function makePicture({
  width = 900,
  height = 600,
  format = 'jpeg',
  orientation = 1,
}: PictureOptions = {}): Promise<Buffer> {
  const half = await sharp({
    create: { width: Math.ceil(width / 2), height, channels: 3, background: '#0000ff' },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, left: Math.floor(width / 2), top: 0 }])
    .toFormat(format)
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Artist: 'Sam Secret', Model: 'Phone 12' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: gpsText,
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 3966/100',
      },
    })
    .withIccProfile('p3')
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>Sam Secret</secret></x:xmpmeta>')
    .toBuffer();
}

/** Texts that a picture from {@link makePicture} contains and that no stored file may contain. */
export const privateTraces = ['Exif', 'GPS', 'Sam Secret', 'Phone 12', 'xmpmeta', 'ICCP', 'EXIF', 'XMP '];

/** Adds a picture to a coach's gallery through the server at `url`; returns the picture's id and public address. */
export async function addGalleryPicture(url: string, coach: Someone, name = 'court') {
  const path = `${coach.userId}/${name}`;
  const consent = { metadata: { alt: 'Serving', isConsentConfirmed: true } };
  const gallery = storageOf(url, coach).from('gallery');
  const { error, data } = await gallery.upload(path, await makePicture(), consent);
  if (error) throw error;
  return { pictureId: data.id, path, url: `${url}/storage/v1/object/public/gallery/${path}` };
}
