import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import { isViolation, type Tx } from '#server/platform/db/db.ts';

/**
 * Records the prices, other than the template's own, at which its lessons can be booked: the prices of its upcoming
 * scheduled lessons, and `priceCents`, which a lesson is about to get or which was the template's own until now.
 * Discover queries the template at these prices. Locks the template. Throws `unprocessable` for `field` if there are
 * too many prices.
 */
export async function rememberPrice(
  tx: Tx,
  templateId: string,
  priceCents: number,
  field: 'priceCents' | 'basePriceCents',
): Promise<void> {
  await sql`select from lesson_templates where template_id = ${templateId}::uuid for no key update`.execute(
    tx,
  );
  try {
    await sql`
      update lesson_templates template
      set former_prices_cents = array(
        select price_cents from lesson_slots slot
        where slot.template_id = template.template_id and slot.status = 'scheduled' and slot.start_time > now()
          and price_cents <> template.base_price_cents
        union select ${priceCents}::int where ${priceCents}::int <> template.base_price_cents
      )
      where template_id = ${templateId}::uuid`.execute(tx);
  } catch (error) {
    if (!isViolation(error, 'lesson_templates_former_prices_are_few')) throw error;
    const message =
      'This template already has lessons at 200 different prices. Use one of those prices or create a new template.';
    throw new AppError('unprocessable', message, { fields: { [field]: message } });
  }
}
