import net from 'node:net';

/** Whether a stopped statement or call is forwarded or dropped. */
export type Verdict = 'pass' | 'lose';

/**
 * A fault point in the traffic of one process to the database: `before` a matching statement reaches the database, or
 * `after` the statement ran and before its response is forwarded. With `upTo`, the traffic stops at the first statement
 * that matches `upTo` after a statement that matches `statement`. `onReached` runs while this connection is paused.
 */
export type StatementStop = {
  statement: RegExp;
  upTo?: RegExp;
  side: 'before' | 'after';
  onReached: () => Promise<Verdict>;
};

export type DatabaseWire = Awaited<ReturnType<typeof openDatabaseWire>>;

/**
 * A proxy between one process and PostgreSQL. The proxy parses enough of the protocol to know each statement, so that
 * it can stop at a statement, cut every connection, and, for a mutation test, rewrite a statement.
 */
export async function openDatabaseWire(
  targetPort: () => number,
  rewrite: (statement: string) => string = (statement) => statement,
) {
  const open = new Set<net.Socket>();
  const stops: StatementStop[] = [];
  let isBlocked = false;

  const server = net.createServer((client) => {
    if (isBlocked) return client.destroy();
    const database = net.connect(targetPort(), '127.0.0.1');
    const end = () => {
      client.destroy();
      database.destroy();
      open.delete(client);
    };
    open.add(client);
    for (const socket of [client, database]) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    const answers = createAnswerSide(client, end);
    const statements = createStatementSide(rewrite, stops);
    let line = Promise.resolve();
    database.on('data', (bytes) => answers.take(bytes));
    client.on('data', (bytes) => {
      line = line.then(async () => {
        for (const message of statements.read(bytes)) {
          const stop = message.stop;
          if (stop?.side === 'before' && (await stop.onReached()) === 'lose') return end();
          if (stop?.side === 'after') answers.holdUntilReady(stop.onReached);
          if (!database.destroyed) database.write(message.bytes);
        }
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    /** Stops the next matching statement, once. Returns a function that removes the stop. */
    stopAt(stop: StatementStop): () => void {
      stops.push(stop);
      return () => {
        const index = stops.indexOf(stop);
        if (index >= 0) stops.splice(index, 1);
      };
    },
    cut: () => {
      for (const socket of open) socket.resetAndDestroy();
    },
    /** Refuses new connections until called with false; existing connections stay open. */
    block: (isToBe: boolean) => {
      isBlocked = isToBe;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

type Message = { bytes: Buffer; stop: StatementStop | undefined };

/**
 * Parses one client's bytes into messages and remembers the statement behind each name. A stop is matched against the
 * statement with its values appended as a comment.
 */
function createStatementSide(rewrite: (statement: string) => string, stops: StatementStop[]) {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  const texts = new Map<string, string>();
  /** The stops with `upTo` whose `statement` has passed on this connection. */
  const begun = new Set<StatementStop>();

  function findStop(statement: string): StatementStop | undefined {
    for (const [index, stop] of stops.entries()) {
      const isHere = stop.upTo
        ? begun.has(stop) && stop.upTo.test(statement)
        : stop.statement.test(statement);
      if (isHere) return stops.splice(index, 1)[0];
      if (stop.upTo && stop.statement.test(statement)) begun.add(stop);
      else if (stop.upTo && /^(rollback|begin)/i.test(statement)) begun.delete(stop);
    }
    return undefined;
  }

  function readMessage(type: string, body: Buffer): { bytes?: Buffer; statement?: string } {
    if (type === 'Q') return { statement: textAt(body, 0).text };
    if (type === 'P') {
      const name = textAt(body, 0);
      const statement = textAt(body, name.end);
      texts.set(name.text, statement.text);
      const rewritten = rewrite(statement.text);
      if (rewritten === statement.text) return {};
      const head = Buffer.from(`${name.text}\0${rewritten}\0`);
      return { bytes: frame('P', Buffer.concat([head, body.subarray(statement.end)])) };
    }
    if (type === 'B') {
      const name = textAt(body, textAt(body, 0).end);
      const text = texts.get(name.text) ?? '';
      return { statement: stops.length > 0 ? `${text}\n-- ${body.toString('latin1', name.end)}` : text };
    }
    return {};
  }

  return {
    read(bytes: Buffer): Message[] {
      rest = Buffer.concat([rest, bytes]);
      const messages: Message[] = [];
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (rest.length < head + 4) return messages;
        const length = head + rest.readInt32BE(head);
        if (rest.length < length) return messages;
        const whole = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (!isStarted) {
          isStarted = true;
          messages.push({ bytes: whole, stop: undefined });
          continue;
        }
        const { bytes: changed, statement } = readMessage(String.fromCharCode(whole[0]!), whole.subarray(5));
        const stop = statement === undefined ? undefined : findStop(statement);
        messages.push({ bytes: changed ?? whole, stop });
      }
    },
  };
}

/**
 * Forwards responses. While a statement is stopped, buffers the responses until the statement is complete, then awaits
 * the verdict.
 */
function createAnswerSide(client: net.Socket, end: () => void) {
  let held: Buffer | null = null;
  let onReached: (() => Promise<Verdict>) | null = null;
  return {
    holdUntilReady(then: () => Promise<Verdict>) {
      held = Buffer.alloc(0);
      onReached = then;
    },
    take(bytes: Buffer) {
      if (!held) {
        if (!client.destroyed) client.write(bytes);
        return;
      }
      held = Buffer.concat([held, bytes]);
      if (!onReached || !isReady(held)) return;
      const decide = onReached;
      onReached = null;
      void decide().then((verdict) => {
        if (verdict === 'lose') return end();
        if (held && !client.destroyed) client.write(held);
        held = null;
      });
    },
  };
}

/** True once the server is ready for the next statement. */
function isReady(answers: Buffer): boolean {
  for (let at = 0; at + 5 <= answers.length; at += 1 + answers.readInt32BE(at + 1)) {
    if (answers[at] === 0x5a) return true;
  }
  return false;
}

function textAt(body: Buffer, start: number): { text: string; end: number } {
  const stop = body.indexOf(0, start);
  return { text: body.toString('utf8', start, stop), end: stop + 1 };
}

function frame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
