import { isSilence } from './database-failure.ts';

/** So many calls of one reader are under way at most; who asks meanwhile is answered by the next. */
const callsAtOnce = 2;

/** The most questions that one call answers. */
const mostTogether = 100;

/**
 * Makes a reader of single things out of one that reads many: what is asked at the same moment is read by one call, so
 * that a rush costs the database a few statements instead of one each. `readMany` answers in the order of the questions.
 * A read always begins after it was asked for, so nobody is told an older state; one that fails fails for all it answers,
 * and, where the database kept silent, for all that wait: each further read would keep them waiting as long again.
 */
export function readTogether<Question, Answer>(
  readMany: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; take: (answer: Answer) => void; fail: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let underWay = 0;

  async function answerWaiting(): Promise<void> {
    underWay += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostTogether);
      try {
        const answers = await readMany(batch.map(({ question }) => question));
        for (const [index, { take }] of batch.entries()) take(answers[index]!);
      } catch (error) {
        const told = isSilence(error) ? [...batch, ...waiting.splice(0)] : batch;
        for (const { fail } of told) fail(error);
      }
    }
    underWay -= 1;
  }

  return (question) =>
    new Promise((take, fail) => {
      waiting.push({ question, take, fail });
      if (underWay < callsAtOnce) void answerWaiting();
    });
}
