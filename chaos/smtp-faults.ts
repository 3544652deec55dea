import { setTimeout as delay } from 'node:timers/promises';
import type { SmtpServer } from '#tools/smtp-server.ts';
import type { Client } from './client.ts';
import type { Chance } from './random.ts';
import { bookUnseenLesson } from './readers.ts';

/** Ways in which the SMTP server can fail; each fault lasts until it is ended. */
export const smtpFaults = [
  'smtp server silent',
  'smtp server refuses',
  'smtp server slow',
  'smtp server cuts connections',
] as const;
export type SmtpFaultName = (typeof smtpFaults)[number];

/** A fault of the SMTP server and its duration in milliseconds. */
export type SmtpFault = { kind: 'smtp'; name: SmtpFaultName; ms: number };

const slowMs = 200;
const bookingsPerFault = 3;

/** Picks a fault of the SMTP server and its duration at random. */
export const pickSmtpFault = (chance: Chance): SmtpFault => ({
  kind: 'smtp',
  name: chance.pick(smtpFaults),
  ms: chance.pick([500, 2_000, 6_000]),
});

/** Starts a fault of the SMTP server, and returns a function that ends it. */
export function beginSmtpFault(smtpServer: SmtpServer, name: SmtpFaultName): () => void {
  switch (name) {
    case 'smtp server silent':
      smtpServer.setSilent(true);
      return () => smtpServer.setSilent(false);
    case 'smtp server refuses':
      smtpServer.setRefusal('451 4.3.0 Try again later');
      return () => smtpServer.setRefusal(null);
    case 'smtp server slow':
      smtpServer.setSlow(slowMs);
      return () => smtpServer.setSlow(0);
    case 'smtp server cuts connections':
      smtpServer.setCutting(true);
      return () => smtpServer.setCutting(false);
  }
}

/** Books lessons during each fault of the SMTP server. Nothing else fails, so only that fault can delay an email. */
export async function bookDuringSmtpFaults(client: Client): Promise<void> {
  for (const name of smtpFaults) {
    const end = beginSmtpFault(client.stage.smtpServer, name);
    for (let number = 0; number < bookingsPerFault; number += 1) await bookUnseenLesson(client);
    // Gives the bookings' jobs time to try to send the emails during the fault.
    await delay(500);
    end();
  }
}
