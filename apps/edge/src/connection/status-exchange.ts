import {
  encodePong,
  pingPacketId,
  pingPayloadBytes,
  statusFrameBytesMax,
  statusRequestPacketId,
} from "@palisade/minecraft-protocol/java/status";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import type { ConnectionState } from "./connection-state.ts";
import { type Packet, PacketPhase } from "./packet-phase.ts";
import { answering, saysTooMuch, statusAnswer } from "./status-answer.ts";

/** A ping may come at any time, the request once. */
class StatusExchange extends PacketPhase {
  readonly #mayAsk: boolean;

  constructor(mayAsk: boolean) {
    super(statusFrameBytesMax);
    this.#mayAsk = mayAsk;
  }

  override took(conn: ConnectionState, frame: Packet): boolean {
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

function pong(conn: ConnectionState, { bodyStart, bodyEnd }: Packet): false {
  conn.life.finish("ping");
  return conn.leave(encodePong(conn.head.subarray(bodyStart, bodyEnd)));
}

function tookRequest(conn: ConnectionState): boolean {
  conn.phase = pinging;
  conn.life.deadline(conn.deps.limits.statusMs);
  const answer = statusAnswer(conn, conn.client?.protocol ?? currentProtocol, conn.client?.host);
  if (Buffer.isBuffer(answer)) return send(conn, answer);
  conn.phase = answering;
  void sendWhenFetched(conn, answer);
  return false;
}

async function sendWhenFetched(conn: ConnectionState, fetched: Promise<Buffer>): Promise<void> {
  const answer = await fetched;
  if (conn.phase !== answering) return;
  conn.phase = pinging;
  if (send(conn, answer)) conn.advance();
}

/** True if a ping may follow. */
function send(conn: ConnectionState, answer: Buffer): boolean {
  conn.life.finish(conn.shield === undefined ? "unknown_host" : "status");
  if (conn.peerEnded) return conn.leave(answer);
  conn.socket.write(answer);
  return true;
}
