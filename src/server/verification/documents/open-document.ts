import { type Context, Hono } from 'hono';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Person } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { signedSeconds } from '#domain/storage/buckets.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { StoredObject } from '#server/storage/queries.ts';
import { serveObject } from '#server/storage/serve-object.ts';
import type { Storage } from '#server/storage/storage.ts';

/**
 * Creates a URL for a document's file. The URL works once, within a minute, and the audit log records which admin
 * requested it. Throws `not_found`, and `conflict` for a document without a file.
 */
export function openDocument(
  db: Database,
  admin: Person,
  documentId: string,
): Promise<{ url: string; expiresAt: string }> {
  return db.transaction().execute(async (tx) => {
    const document = await tx
      .selectFrom('coachDocuments')
      .select(['coachId', 'kind', 'fileObjectId'])
      .where('documentId', '=', documentId)
      .executeTakeFirst();
    if (!document) throw new AppError('not_found', 'Document not found.');
    if (!document.fileObjectId) throw new AppError('conflict', 'This document has no file.');
    const opening = await tx
      .insertInto('documentOpenings')
      .values({ documentId, openedBy: admin.userId })
      .returning(['openingId', 'openedAt'])
      .executeTakeFirstOrThrow();
    await recordAudit(tx, admin, {
      ...{ action: 'coach_document.opened', subjectType: 'coach_document', subjectId: documentId },
      after: { kind: document.kind, coachId: document.coachId },
    });
    return {
      url: `/storage/v1/documents/${opening.openingId}`,
      expiresAt: new Date(Date.parse(opening.openedAt) + signedSeconds * 1000).toISOString(),
    };
  });
}

/**
 * Serves the URLs of {@link openDocument} below `/storage/v1/documents`. Anyone with the URL can read the file, so that
 * the browser can download it without a token. The URL is random and the first request consumes it.
 */
export function createDocumentApp({
  db,
  storage,
}: {
  db: Database;
  storage: Pick<Storage, 'files' | 'cipher'>;
}) {
  const app = new Hono();
  app.get('/:openingId', async (c: Context) => {
    const openingId = z.uuid().safeParse(c.req.param('openingId')).data;
    const object = openingId && (await consumeOpening(db, openingId));
    if (!object) throw new AppError('not_found', 'This address has expired. Please open the file again.');
    return serveObject(c, storage, object, null);
  });
  return app;
}

/** Consumes a URL and returns its file; undefined if the URL has been used, is older than a minute or never existed. */
async function consumeOpening(db: Database, openingId: string): Promise<StoredObject | undefined> {
  const { rows } = await sql<StoredObject>`
    with opening as (
      update document_openings set used_at = now()
      where opening_id = ${openingId}::uuid and used_at is null
        and opened_at > now() - interval '1 second' * ${signedSeconds}
      returning document_id
    )
    select object.* from opening join coach_documents using (document_id)
    join storage_objects object on object.object_id = file_object_id`.execute(db);
  return rows[0];
}
