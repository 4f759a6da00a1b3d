import {
  encodePong,
  pingPacketId,
  pingPayloadBytes,
  statusFrameBytesMax,
  statusRequestPacketId,
} from "@palisade/minecraft-protocol/java/status";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import type { Conversation } from "./conversation.ts";
import { type Packet, PacketPhase } from "./packet-phase.ts";
import { answering, saysTooMuch, statusAnswer } from "./status-answer.ts";

/** A ping may come at any time, the request once. */
class StatusExchange extends PacketPhase {
  readonly #mayAsk: boolean;

  constructor(mayAsk: boolean) {
    super(statusFrameBytesMax);
    this.#mayAsk = mayAsk;
  }

  override took(at: Conversation, frame: Packet): boolean {
    const bodyBytes = frame.bodyEnd - frame.bodyStart;
    at.offset = frame.bodyEnd;
    if (frame.id === pingPacketId && bodyBytes === pingPayloadBytes) return pong(at, frame);
    const isRequest = frame.id === statusRequestPacketId && bodyBytes === 0;
    return isRequest && this.#mayAsk && !saysTooMuch(at) ? tookRequest(at) : at.drop("malformed");
  }
}

export const asking = new StatusExchange(true);
const pinging = new StatusExchange(false);

function pong(at: Conversation, { bodyStart, bodyEnd }: Packet): false {
  at.life.finish("ping");
  at.socket.write(encodePong(at.head.subarray(bodyStart, bodyEnd)));
  return at.leave();
}

function tookRequest(at: Conversation): boolean {
  at.phase = pinging;
  at.life.deadline(at.deps.limits.statusMs);
  const answer = statusAnswer(at, at.client?.protocol ?? currentProtocol, at.client?.host);
  if (Buffer.isBuffer(answer)) return send(at, answer);
  at.phase = answering;
  void sendWhenFetched(at, answer);
  return false;
}

async function sendWhenFetched(at: Conversation, fetched: Promise<Buffer>): Promise<void> {
  const answer = await fetched;
  if (at.phase !== answering) return;
  at.phase = pinging;
  if (send(at, answer)) at.advance();
}

/** True if a ping may follow. */
function send(at: Conversation, answer: Buffer): boolean {
  at.life.finish(at.shield === undefined ? "unknown_host" : "status");
  at.socket.write(answer);
  return at.peerEnded ? at.leave() : true;
}
