import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type SmtpServer = {
  url: string;
  /** Recipients in the order in which their emails were accepted. */
  accepted: string[];
  /** The raw emails, in the same order. */
  messages: string[];
  /** The return paths of these emails, in the same order. */
  returnPaths: string[];
  /** Sets the response to later recipients: "451 4.3.0 Try again later"; null accepts them. `[to]` is the address. */
  setRefusal: (answer: string | null) => void;
  /** The number of open connections. */
  connections: () => number;
  /** While silent, the server accepts connections but never responds. `false` closes these connections. */
  setSilent: (isSilent: boolean) => void;
  close: () => Promise<void>;
};

/**
 * Starts an SMTP server on a free port. Unless silent, it accepts every email once `confirm` resolves
 * (immediately by default). With `refuseRecipients` it refuses every recipient and names the address, as real servers
 * do.
 */
export async function startSmtpServer({
  isSilent = false,
  refuseRecipients = false,
  confirm = async () => {},
}: {
  isSilent?: boolean;
  refuseRecipients?: boolean;
  confirm?: () => Promise<void>;
}): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const accepted: string[] = [];
  const messages: string[] = [];
  const returnPaths: string[] = [];
  let refusal = refuseRecipients ? '550 5.1.1 <[to]>: Recipient address rejected' : null;
  let isMute = isSilent;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    // The promise is rejected if the connection is cut, when no client is left to respond to.
    void converse(socket, { accepted, messages, returnPaths }, confirm, () => ({ isMute, refusal })).catch(
      () => {},
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    messages,
    returnPaths,
    setRefusal: (answer) => {
      refusal = answer;
    },
    connections: () => sockets.size,
    setSilent: (isUnresponsiveNow) => {
      isMute = isUnresponsiveNow;
      if (!isMute) for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function converse(
  socket: Socket,
  { accepted, messages, returnPaths }: Pick<SmtpServer, 'accepted' | 'messages' | 'returnPaths'>,
  confirm: () => Promise<void>,
  readMood: () => { isMute: boolean; refusal: string | null },
): Promise<void> {
  let message: string[] = [];
  const isMute = () => readMood().isMute;
  const say = (line: string) => socket.writable && !isMute() && socket.write(`${line}\r\n`);
  let recipient = '';
  let returnPath = '';
  let isData = false;
  let rest = '';
  say('220 mail.test ESMTP');
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
        if (isMute()) continue;
        messages.push(whole);
        accepted.push(recipient);
        returnPaths.push(returnPath);
        await confirm();
        say('250 accepted');
      } else if (/^rcpt to:/i.test(line)) {
        recipient = /<(.*?)>/.exec(line)?.[1] ?? '';
        say(readMood().refusal?.replace('[to]', recipient) ?? '250 ok');
      } else if (/^mail from:/i.test(line)) {
        returnPath = /<(.*?)>/.exec(line)?.[1] ?? '';
        say('250 ok');
      } else if (/^data/i.test(line)) {
        isData = true;
        say('354 go on');
      } else if (/^quit/i.test(line)) {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    }
  }
}
