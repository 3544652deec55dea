import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';

/** The register's entries for pictures and documents. */
export const storageTables: Register<'storageReports' | 'storageObjects' | 'storageRemovals'> = {
  storageReports: {
    purpose: 'Reports of pictures, so that admins can remove a picture that should not be there.',
    // One person writes a report about another person's picture, so a row belongs to both people.
    rowsOf: ({ userId }) => sql`(reporter_user_id = ${userId}::uuid
      or object_id in (select object_id from storage_objects where owner_user_id = ${userId}::uuid))`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: 'Until 90 days after an admin decided to keep the picture, or until the picture is deleted.',
      isOver: sql<boolean>`decided_at < now() - interval '90 days'`,
    },
    columns: {
      reportId: 'exported',
      objectId: 'exported',
      reporterUserId: 'others',
      reporterHash: 'secret',
      reason: 'exported',
      createdAt: 'exported',
      decidedAt: 'exported',
    },
  },
  storageObjects: {
    purpose:
      'Pictures and documents that a person added. The files themselves are stored outside the database, without the details that a camera adds.',
    rowsOf: ({ userId }) => sql`owner_user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted. All sizes of the files are deleted within 24 hours.', deletes: true },
    retention: { text: 'Until the person removes the file or deletes the account.' },
    columns: {
      objectId: 'exported',
      bucket: 'exported',
      ownerUserId: 'exported',
      path: 'exported',
      contentId: 'derived',
      contentType: 'exported',
      bytes: 'exported',
      width: 'exported',
      height: 'exported',
      cacheSeconds: 'exported',
      alt: 'exported',
      consentConfirmedAt: 'exported',
      state: 'exported',
      createdAt: 'exported',
      updatedAt: 'exported',
      keyEncrypted: 'secret',
    },
    readable: {
      // With an access token, the person can open this URL even if the picture is hidden.
      download: sql`'/storage/v1/object/authenticated/' || bucket || '/' || path`,
    },
  },
  storageRemovals: {
    reason: 'Random names of files that are about to be deleted.',
    retention: { text: 'Until the files are deleted, at most 24 hours unless storage is down.' },
    columns: { contentId: 'impersonal', bucket: 'impersonal', removedAt: 'impersonal' },
  },
};
