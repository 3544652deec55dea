import { closeSync, createReadStream, fsyncSync, openSync, truncateSync, writeSync } from 'node:fs';
import type { JournalEntry } from './store.ts';

/**
 * The append-only journal on disk: one JSON document per line. All lines of one turn of the event loop are written
 * together, and a caller's promise resolves after the write, so a response never leaves before its line is stored. A
 * line handed to the operating system survives `kill -9`; `fsync` makes it survive a power cut as well.
 */
export class Journal {
  readonly #file: number;
  readonly #isSynced: boolean;
  #lines: string[] = [];
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(path: string, isSynced: boolean) {
    this.#file = openSync(path, 'a');
    this.#isSynced = isSynced;
  }

  append(entry: JournalEntry): Promise<void> {
    this.#lines.push(JSON.stringify(entry), '\n');
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.flush());
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  flush() {
    this.#isScheduled = false;
    if (this.#lines.length === 0) return;
    const bytes = Buffer.from(this.#lines.join(''));
    const waiting = this.#waiting;
    this.#lines = [];
    this.#waiting = [];
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    if (this.#isSynced) fsyncSync(this.#file);
    for (const resolve of waiting) resolve();
  }

  close() {
    this.flush();
    closeSync(this.#file);
  }
}

/**
 * Reads every complete line in order. A last line that a crash cut short is removed from the file, so that the next
 * append starts on a new line. Throws if any other line can't be read.
 */
export async function replayJournal(path: string, take: (entry: JournalEntry) => void): Promise<void> {
  let tail = Buffer.alloc(0);
  let read = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const bytes = tail.length > 0 ? Buffer.concat([tail, chunk as Buffer]) : (chunk as Buffer);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        take(parseLine(path, read, bytes.toString('utf8', start, end)));
        read += end + 1 - start;
        start = end + 1;
      }
      tail = Buffer.from(bytes.subarray(start));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (tail.length > 0) truncateSync(path, read);
}

function parseLine(path: string, at: number, line: string): JournalEntry {
  try {
    return JSON.parse(line) as JournalEntry;
  } catch (error) {
    throw new Error(`${path} is damaged at byte ${at}: ${(error as Error).message}`);
  }
}
