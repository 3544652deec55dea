import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** An accepted email. */
export type AcceptedEmail = {
  to: string;
  returnPath: string;
  /** In ms since 1970. */
  acceptedAt: number;
  /**
   * Whether the client knows that the email was accepted: it continued after the response, or ended the connection in
   * an orderly way. A process that is killed before it reads the response resets the connection.
   */
  isKnown: boolean;
};

export type SmtpServer = {
  url: string;
  /** Recipients in the order in which their emails were accepted. */
  accepted: string[];
  /** The raw emails, in the same order. */
  messages: string[];
  /** The return paths of these emails, in the same order. */
  returnPaths: string[];
  /** The same emails; each says whether the client knows that it was accepted. */
  emails: AcceptedEmail[];
  /**
   * Sets the response to later recipients, such as "451 4.3.0 Try again later"; `[to]` in it stands for the address.
   * null accepts them.
   */
  setRefusal: (answer: string | null) => void;
  /** How long the server takes for each of its responses from now on, in milliseconds. */
  setSlow: (ms: number) => void;
  /** While cutting, the server closes the connection as soon as it has accepted an email, without a response. */
  setCutting: (isCutting: boolean) => void;
  /** The number of open connections. */
  connections: () => number;
  /** While silent, the server accepts connections but never responds. `false` closes all open connections. */
  setSilent: (isSilent: boolean) => void;
  close: () => Promise<void>;
};

/**
 * Starts an SMTP server on a free port. Unless it is silent or has a refusal, it accepts every email and responds once
 * `confirm` resolves (immediately by default).
 */
export async function startSmtpServer({
  host = '127.0.0.1',
  isSilent = false,
  confirm = async () => {},
}: {
  host?: string;
  isSilent?: boolean;
  confirm?: () => Promise<void>;
}): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const accepted: string[] = [];
  const messages: string[] = [];
  const returnPaths: string[] = [];
  const emails: AcceptedEmail[] = [];
  const behaviour: Behaviour = { isMute: isSilent, slowMs: 0, isCutting: false, refusal: null };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    // The promise is rejected if the connection breaks. There is then no client left to respond to.
    void converse(socket, { accepted, messages, returnPaths, emails }, confirm, behaviour).catch(() => {});
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `smtp://${host}:${(server.address() as AddressInfo).port}`,
    accepted,
    messages,
    returnPaths,
    emails,
    setRefusal: (answer) => {
      behaviour.refusal = answer;
    },
    setSlow: (ms) => {
      behaviour.slowMs = ms;
    },
    setCutting: (isCutting) => {
      behaviour.isCutting = isCutting;
    },
    connections: () => sockets.size,
    setSilent: (isUnresponsiveNow) => {
      behaviour.isMute = isUnresponsiveNow;
      if (!behaviour.isMute) for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** How the server behaves at the moment. */
type Behaviour = { isMute: boolean; slowMs: number; isCutting: boolean; refusal: string | null };

async function converse(
  socket: Socket,
  {
    accepted,
    messages,
    returnPaths,
    emails,
  }: Pick<SmtpServer, 'accepted' | 'messages' | 'returnPaths' | 'emails'>,
  confirm: () => Promise<void>,
  behaviour: Readonly<Behaviour>,
): Promise<void> {
  let message: string[] = [];
  let unconfirmed: AcceptedEmail | null = null;
  let isAnswered = false;
  const say = async (line: string) => {
    if (behaviour.slowMs > 0) await delay(behaviour.slowMs);
    if (!socket.writable || behaviour.isMute) return false;
    socket.write(`${line}\r\n`);
    return true;
  };
  let recipient = '';
  let returnPath = '';
  let isData = false;
  let rest = '';
  await say('220 mail.test ESMTP');
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    const lines = (rest + String(chunk)).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (isData) {
        if (line !== '.') {
          message.push(line);
          continue;
        }
        isData = false;
        const whole = message.join('\n');
        message = [];
        if (behaviour.isMute) continue;
        messages.push(whole);
        accepted.push(recipient);
        returnPaths.push(returnPath);
        unconfirmed = { to: recipient, returnPath, acceptedAt: Date.now(), isKnown: false };
        emails.push(unconfirmed);
        if (behaviour.isCutting) {
          socket.destroy();
          return;
        }
        await confirm();
        isAnswered = await say('250 accepted');
        continue;
      }
      // The client continues, so it has read the last response.
      if (unconfirmed) unconfirmed.isKnown = true;
      unconfirmed = null;
      if (/^rcpt to:/i.test(line)) {
        recipient = /<(.*?)>/.exec(line)?.[1] ?? '';
        await say(behaviour.refusal?.replace('[to]', recipient) ?? '250 ok');
      } else if (/^mail from:/i.test(line)) {
        returnPath = /<(.*?)>/.exec(line)?.[1] ?? '';
        await say('250 ok');
      } else if (/^data/i.test(line)) {
        isData = true;
        await say('354 go on');
      } else if (/^quit/i.test(line)) {
        await say('221 bye');
        socket.end();
      } else await say('250 ok');
    }
  }
  if (unconfirmed && isAnswered) unconfirmed.isKnown = true;
}
