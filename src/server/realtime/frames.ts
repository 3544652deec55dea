/** One message of Phoenix channels, protocol version 2.0.0, in either direction. */
export type Frame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Record<string, unknown>;
};

// The binary frames in which @supabase/realtime-js sends broadcasts: their kind, the length of their header in bytes,
// and the code of a JSON payload.
const broadcastPush = 3;
const binaryHeaderBytes = 7;
const jsonEncoding = 1;

/** Decodes a client's frame; null if it is malformed. */
export function decodeFrame(data: Buffer, isBinary: boolean): Frame | null {
  try {
    return isBinary ? decodeBinary(data) : decodeText(data);
  } catch {
    return null;
  }
}

function decodeText(data: Buffer): Frame | null {
  const parts: unknown = JSON.parse(data.toString());
  if (!Array.isArray(parts) || parts.length !== 5) return null;
  const [joinRef, ref, topic, event, payload] = parts;
  return checkFrame({ joinRef, ref, topic, event, payload });
}

function decodeBinary(data: Buffer): Frame | null {
  if (data[0] !== broadcastPush || data.length < binaryHeaderBytes) return null;
  const [, joinRefBytes, refBytes, topicBytes, eventBytes, metadataBytes, encoding] = data;
  let offset = binaryHeaderBytes;
  const take = (bytes: number) => {
    offset += bytes;
    return data.toString('utf8', offset - bytes, offset);
  };
  const [joinRef, ref, topic, event] = [joinRefBytes, refBytes, topicBytes, eventBytes].map((bytes) =>
    take(bytes!),
  );
  offset += metadataBytes!;
  if (encoding !== jsonEncoding || offset > data.length) return null;
  const payload = { type: 'broadcast', event, payload: JSON.parse(data.toString('utf8', offset)) };
  return checkFrame({ joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload });
}

const isRef = (value: unknown) => value === null || (typeof value === 'string' && value.length <= 64);
const isName = (value: unknown) => typeof value === 'string' && value.length > 0 && value.length <= 255;

function checkFrame(frame: Record<keyof Frame, unknown>): Frame | null {
  const { joinRef, ref, topic, event, payload } = frame;
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  return isRef(joinRef) && isRef(ref) && isName(topic) && isName(event) && isObject ? (frame as Frame) : null;
}

/** Encodes a frame for clients, to be sent as text. One buffer may be sent to any number of connections. */
export const encodeFrame = ({ joinRef, ref, topic, event, payload }: Frame): Buffer =>
  Buffer.from(JSON.stringify([joinRef, ref, topic, event, payload]));

/**
 * Encodes a message to everyone on a topic, for the listeners of `event`. `json` is the encoded payload, which must not
 * have a top-level field `ids`: the client would treat that as a change of a database row.
 */
export const encodeBroadcast = (topic: string, event: string, json: string): Buffer =>
  Buffer.from(
    `[null,null,${JSON.stringify(topic)},"broadcast",{"type":"broadcast","event":"${event}","payload":${json}}]`,
  );
