import {
  decodeHandshake,
  handshakeFrameBytesMax,
  handshakePacketId,
} from "@palisade/minecraft-protocol/java/handshake";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { Conversation } from "./conversation.ts";
import { loginStarting } from "./login-start.ts";
import { type Packet, PacketPhase } from "./packet-phase.ts";
import { asking } from "./status-exchange.ts";

class Handshaking extends PacketPhase {
  override took(at: Conversation, frame: Packet): boolean {
    if (frame.id !== handshakePacketId) return at.drop("malformed");
    const result = decodeHandshake(at.head, frame.bodyStart, frame.bodyEnd);
    if (!result.ok) return at.drop("malformed");
    const { handshake } = result;
    if (handshake.intent === "transfer" && !atLeast(handshake.protocol, "1.20.5")) {
      return at.drop("malformed");
    }
    at.deps.outcomes.countHandshake(handshake.intent);
    at.client = handshake;
    at.shield = at.deps.shields.route(handshake.host);
    at.offset = at.handshakeEnd = frame.bodyEnd;
    at.phase = handshake.intent === "status" ? asking : loginStarting;
    return true;
  }
}

export const handshaking = new Handshaking(handshakeFrameBytesMax);
