import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, personName } from '../fields.ts';
import { someLines } from '../text.ts';
import { maxAltLength } from './buckets.ts';

const pictureId = z.uuid().describe('The picture.');
const alt = z
  .string()
  .describe('What the picture shows, for people who cannot see it; may be empty.')
  .meta({ examples: ['Four children serving on a hard court'] });

const url = z
  .string()
  .describe(
    'The path of the picture. Add `&size=` and one of the sizes of its bucket; without a size, the largest is returned.',
  )
  .meta({
    examples: ['/storage/v1/object/public/gallery/0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55/a?v=1f0c3b7e'],
  });

/** The URL of a person's picture, which is stored in the sizes 512 and 128; null without a picture. */
export const avatarUrl = url
  .nullable()
  .describe("The path of the person's picture; add `&size=128` or `&size=512`. Null without a picture.");

export const picture = z
  .object({
    pictureId: z.uuid(),
    url,
    alt,
    width: z.number().int().describe('The width of the largest version, in pixels.'),
    height: z.number().int().describe('The height of the largest version, in pixels.'),
  })
  .meta({ id: 'Picture', description: 'A picture, with the width and height of its largest version.' });
export type Picture = z.output<typeof picture>;

export const galleryPicture = picture
  .extend({
    path: z
      .string()
      .describe('The path in the bucket `gallery`, needed to remove the picture.')
      .meta({ examples: ['0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55/a'] }),
    isHidden: z.boolean().describe('True after three open reports, until an admin decides.'),
  })
  .meta({ id: 'GalleryPicture', description: "A picture in the coach's own gallery." });
export type GalleryPicture = z.output<typeof galleryPicture>;

export const reportedPicture = picture
  .extend({
    bucket: z.enum(['avatars', 'gallery']),
    ownerId: z.uuid(),
    ownerName: personName,
    isHidden: z.boolean().describe('True if visitors do not see it until an admin decides.'),
    reports: z.array(
      z.object({
        reason: z.string().meta({ examples: ['My child is in it'] }),
        at: instant,
      }),
    ),
  })
  .meta({ id: 'ReportedPicture', description: 'A picture with the reports that await a decision.' });
export type ReportedPicture = z.output<typeof reportedPicture>;

export const reportReason = someLines()
  .min(1, "Tell us what's wrong with the picture.")
  .max(500, "The reason can't be longer than 500 characters.")
  .describe('The reason for the report.')
  .meta({ examples: ['My child is in it and I did not agree'] });

/** Endpoints for galleries and for reports about pictures. The files themselves go through `/storage/v1`. */
export const storageApi = {
  listGallery: endpoint({
    method: 'GET',
    path: '/api/coach/gallery',
    operationId: 'list_gallery',
    gate: 'coach',
    summary: 'List my gallery pictures',
    description: "The pictures in the coach's gallery, oldest first, including hidden pictures.",
    input: z.object({}),
    output: z.object({ pictures: z.array(galleryPicture) }),
  }),
  describePicture: endpoint({
    method: 'PUT',
    path: '/api/coach/gallery/:pictureId',
    operationId: 'describe_picture',
    gate: 'coach',
    summary: 'Describe a gallery picture',
    description: "Changes the description of one of the coach's own gallery pictures.",
    refusals: ['not_found'],
    input: z.object({
      pictureId,
      alt: someLines()
        .max(maxAltLength, `The description can't be longer than ${maxAltLength} characters.`)
        .describe('What the picture shows; may be empty.')
        .meta({ examples: ['Four children serving on a hard court'] }),
    }),
    output: z.object({}),
  }),
  getPicture: endpoint({
    method: 'GET',
    path: '/api/pictures/:pictureId',
    operationId: 'get_picture',
    gate: 'public',
    summary: 'Get a public picture',
    description: 'A picture of a coach who can be booked, unless the picture is hidden.',
    refusals: ['not_found'],
    input: z.object({ pictureId }),
    output: z.object({ picture }),
  }),
  reportPicture: endpoint({
    method: 'POST',
    path: '/api/pictures/:pictureId/reports',
    operationId: 'report_picture',
    gate: 'public',
    summary: 'Report a picture',
    description:
      'Asks the admins to check a public picture. Three reports from different visitors hide the picture until an admin decides; a second report from the same visitor changes nothing.',
    refusals: ['not_found', 'too_many_requests'],
    input: z.object({ pictureId, reason: reportReason }),
    output: z.object({}),
  }),
  listReportedPictures: endpoint({
    method: 'GET',
    path: '/api/admin/reported-pictures',
    operationId: 'list_reported_pictures',
    gate: 'admin',
    summary: 'List reported pictures',
    description:
      'Pictures that are hidden or have reports that await a decision, at most 50. The oldest report comes first.',
    input: z.object({}),
    output: z.object({ pictures: z.array(reportedPicture) }),
  }),
  decidePicture: endpoint({
    method: 'POST',
    path: '/api/admin/reported-pictures/:pictureId/decision',
    operationId: 'decide_picture',
    gate: 'admin',
    summary: 'Decide on a reported picture',
    description:
      'Keeping the picture closes its reports and makes it visible again. Removing the picture deletes every size and notifies its owner.',
    refusals: ['not_found'],
    reauthenticate: true,
    input: z.object({
      pictureId,
      decision: z
        .enum(['keep', 'remove'], 'Choose keep or remove.')
        .describe('Whether to keep or remove the picture.'),
    }),
    output: z.object({}),
  }),
};
