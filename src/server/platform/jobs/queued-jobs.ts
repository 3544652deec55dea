import { EventEmitter } from 'node:events';
import type { JobName } from '#domain/jobs.ts';

// Statements contain the job's name as a literal: see `queueJob` in enqueue.ts.
const queuedName = /\bqueue_job\('([^']+)'/g;

/** The names of the jobs that a statement may queue. */
export const findQueuedJobs = (text: string): JobName[] =>
  [...text.matchAll(queuedName)].map(([, name]) => name as JobName);

const signal = new EventEmitter().setMaxListeners(0);

/**
 * Calls `listener` whenever a statement that may have queued jobs has been committed in this process. Returns a
 * function that stops these calls.
 */
export function onJobsQueued(listener: (names: JobName[]) => void): () => void {
  signal.on('queued', listener);
  return () => signal.off('queued', listener);
}

/**
 * Follows one connection: receives the text of every statement that succeeded, with the jobs that it may have queued,
 * and reports these jobs once they are committed. If the process is killed before that, the jobs wait for the next
 * poll.
 */
export function followTransactions(): (text: string, jobs: JobName[]) => void {
  let isInTransaction = false;
  let uncommitted: JobName[] = [];
  return (text, jobs) => {
    if (jobs.length > 0) {
      if (isInTransaction) uncommitted.push(...jobs);
      else signal.emit('queued', jobs);
      return;
    }
    if (text === 'begin' || text.startsWith('start transaction')) {
      isInTransaction = true;
      uncommitted = [];
    } else if (text === 'commit' || text === 'rollback') {
      isInTransaction = false;
      if (text === 'commit' && uncommitted.length > 0) signal.emit('queued', uncommitted);
      uncommitted = [];
    }
  };
}
