/** Milliseconds that a client may take to receive one part of a file before the download is abandoned. */
const longestPauseMs = 60_000;

/**
 * A CSV file that is sent while it is read, in the JSON of the contract's `csvFile`. The next part is read only when
 * the client has received the previous one. A failure ends the connection, so that the client never mistakes a part for
 * the whole file.
 */
export class StreamedCsv {
  readonly fileName: string;
  readonly #first: string;
  readonly #rest: AsyncGenerator<string, void, void>;

  private constructor(fileName: string, first: string, rest: AsyncGenerator<string, void, void>) {
    this.fileName = fileName;
    this.#first = first;
    this.#rest = rest;
  }

  /**
   * Reads the first two parts (the header and the first rows), so that a failure while reading them is an ordinary
   * refusal.
   */
  static async open(fileName: string, parts: AsyncGenerator<string, void, void>): Promise<StreamedCsv> {
    const header = await parts.next();
    const rows = await parts.next();
    return new StreamedCsv(fileName, (header.value ?? '') + (rows.value ?? ''), parts);
  }

  /** The body of the response. */
  toBody(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const rest = this.#rest;
    const toJson = (text: string) => JSON.stringify(text).slice(1, -1);
    let pending: string | null = `{"fileName":${JSON.stringify(this.fileName)},"csv":"${toJson(this.#first)}`;
    let timer: NodeJS.Timeout | undefined;
    // The timer runs from the start, because a client that disconnects before its response neither reads nor cancels
    // the body.
    const waitForClient = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      timer = setTimeout(() => {
        controller.error(new Error('The client stopped reading the file.'));
        void rest.return();
      }, longestPauseMs);
      timer.unref();
    };
    return new ReadableStream<Uint8Array>(
      {
        start: waitForClient,
        async pull(controller) {
          clearTimeout(timer);
          if (pending === null) {
            const part = await rest.next();
            pending = part.done ? '"}' : toJson(part.value);
            if (part.done) {
              controller.enqueue(encoder.encode(pending));
              controller.close();
              return;
            }
          }
          controller.enqueue(encoder.encode(pending));
          pending = null;
          waitForClient(controller);
        },
        async cancel() {
          clearTimeout(timer);
          await rest.return();
        },
      },
      { highWaterMark: 0 },
    );
  }
}
