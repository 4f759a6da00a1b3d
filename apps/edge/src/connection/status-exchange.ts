import {
  encodePong,
  pingPacketId,
  pingPayloadBytes,
  statusFrameBytesMax,
  statusRequestPacketId,
} from "@palisade/minecraft-protocol/java/status";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { unknownHost } from "#src/shields/edge-answers.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type JavaConnection, type Packet, PacketStep, Step } from "./java-connection.ts";

/** A ping may come at any time, the request once. */
class StatusExchange extends PacketStep {
  readonly #mayAsk: boolean;

  constructor(mayAsk: boolean) {
    super(statusFrameBytesMax);
    this.#mayAsk = mayAsk;
  }

  override received(conn: JavaConnection, chunk: Buffer): void {
    // The bytes that were read are not needed again: a ping is not copied behind them.
    if (conn.offset === conn.head.length) conn.startAnew(chunk);
    else conn.keep(chunk);
    conn.advance();
  }

  override took(conn: JavaConnection, frame: Packet): boolean {
    const bodyBytes = frame.bodyEnd - frame.bodyStart;
    conn.offset = frame.bodyEnd;
    if (frame.id === pingPacketId && bodyBytes === pingPayloadBytes) return pong(conn, frame);
    const isRequest = frame.id === statusRequestPacketId && bodyBytes === 0;
    return isRequest && this.#mayAsk && !saysTooMuch(conn)
      ? tookRequest(conn)
      : conn.drop("malformed");
  }
}

export const asking = new StatusExchange(true);
const pinging = new StatusExchange(false);

/** The one pong of this thread: a socket copies what it is sent. */
const pongFrame = encodePong(new Uint8Array(pingPayloadBytes));

function pong(conn: JavaConnection, { bodyStart, bodyEnd }: Packet): false {
  conn.finish("ping");
  pongFrame.set(conn.head.subarray(bodyStart, bodyEnd), pongFrame.length - pingPayloadBytes);
  return conn.leave(pongFrame);
}

function tookRequest(conn: JavaConnection): boolean {
  conn.step = pinging;
  conn.deadline(conn.deps.limits.statusMs);
  const answer = statusAnswer(conn, conn.client?.protocol ?? currentProtocol, conn.client?.host);
  if (Buffer.isBuffer(answer)) return send(conn, answer);
  conn.step = answering;
  void sendWhenFetched(conn, answer);
  return false;
}

async function sendWhenFetched(conn: JavaConnection, fetched: Promise<Buffer>): Promise<void> {
  const answer = await fetched;
  if (conn.step !== answering) return;
  conn.step = pinging;
  if (send(conn, answer)) conn.advance();
}

/** True if a ping may follow. */
function send(conn: JavaConnection, answer: Buffer): boolean {
  conn.finish(conn.shield === undefined ? "unknown_host" : "status");
  if (conn.peerEnded) return conn.leave(answer);
  conn.socket.write(answer);
  return true;
}

/** The backend is being asked; a client that has ended its side still waits for the answer. */
class Answering extends Step {
  override received(conn: JavaConnection, chunk: Buffer): void {
    conn.keep(chunk);
    if (saysTooMuch(conn)) conn.drop("malformed");
  }

  override ended(): void {
    // `peerEnded` is checked once the answer is sent.
  }
}

export const answering = new Answering();

/**
 * Whether more bytes have come than the one ping that may follow a request: they need not be kept.
 */
function saysTooMuch({ head, offset }: JavaConnection): boolean {
  return head.length - offset > 1 + statusFrameBytesMax;
}

/** The answer to a ping of this version, at once if it is known. */
export function statusAnswer(
  conn: JavaConnection,
  protocol: number,
  host = "",
): Buffer | Promise<Buffer> {
  const { shield, deps } = conn;
  if (shield === undefined) return unknownHost.motd.frame;
  shield.counters.pings++;
  notePing(conn, shield);
  return deps.statuses.answer(shield, protocol, host);
}

function notePing(conn: JavaConnection, { rules: { mitigation } }: CompiledShield): void {
  if (!mitigation.notesPings) return;
  const { memory, nowMs } = conn.deps.mitigation;
  memory.sawPing(mitigation.shield, conn.ip, nowMs());
}
