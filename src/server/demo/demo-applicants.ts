import type { Sport } from '#domain/sports.ts';

/** Made-up people who have applied to become coaches, and what they wrote in their applications. */
export const demoApplicants: {
  fullName: string;
  email: string;
  headline: string;
  bio: string;
  sports: Sport[];
  experience: string;
  coachesJuniors: boolean;
  submittedDaysAgo: number;
  /** The admin's message asking for changes; null if the application is in the queue. */
  changes: string | null;
}[] = [
  {
    fullName: 'Hattie Hypothesis',
    email: 'applicant@demo.test',
    headline: 'Hockey coach for juniors and clubs',
    bio: 'I played in midfield for ten years and now coach the basics: stick skills, passing and the courage to call for the ball. Groups of up to ten, on a pitch in Leeds or at your club.',
    sports: ['hockey'],
    experience:
      'Four seasons with the under-12s and under-14s of a club in Leeds. England Hockey Level 2, first aid in 2025, safeguarding training this spring. Enhanced DBS through the club.',
    coachesJuniors: true,
    submittedDaysAgo: 3,
    changes: null,
  },
  {
    fullName: 'Percy Premise',
    email: 'percy.premise@demo.test',
    headline: 'Cycling coach',
    bio: 'Road and track, from the first clipless pedals to a club time trial.',
    sports: ['cycling'],
    experience: 'Many years.',
    coachesJuniors: false,
    submittedDaysAgo: 6,
    changes: 'Please say where you have coached, for how long, and which qualifications you hold.',
  },
];
