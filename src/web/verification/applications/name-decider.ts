import type { CoachApplication } from '#domain/verification/application.ts';

/** Who decided an application: an admin, by name, or the person who withdrew it. */
export function nameDecider({ decidedBy, status }: Pick<CoachApplication, 'decidedBy' | 'status'>): string {
  return decidedBy ?? (status === 'withdrawn' ? 'The person withdrew it' : 'Nobody: coaches joined at once');
}
