import {
  decodeLoginStart,
  loginStartFrameBytesMax,
  loginStartPacketId,
} from "@palisade/minecraft-protocol/java/login";
import type { Conversation } from "./conversation.ts";
import { askForCookie, mayBringCookie } from "./cookie-question.ts";
import { judge, judgeUnread, requestOf } from "./login.ts";
import { type Malformed, type Packet, PacketPhase } from "./packet-phase.ts";

class LoginStarting extends PacketPhase {
  override took(at: Conversation, frame: Packet): boolean {
    const protocol = at.client?.protocol;
    if (frame.id !== loginStartPacketId || protocol === undefined) return at.drop("malformed");
    const login = decodeLoginStart(at.head, frame.bodyStart, frame.bodyEnd, protocol);
    if (!login.ok) return at.drop("malformed");
    at.offset = frame.bodyEnd;
    const says = { ...login, protocol, form: "modern" } as const;
    const { shield } = at;
    if (shield === undefined || !mayBringCookie(at, shield, protocol)) return judge(at, says);
    return askForCookie(at, requestOf(at, says), shield);
  }

  /**
   * No more bytes are read than any client's Login Start has. A client that announces more than the
   * owner allows is told so; the name that it has not sent decides nothing.
   */
  override tookMalformed(at: Conversation, { frameBytes = 0 }: Malformed): false {
    const protocol = at.client?.protocol;
    const max = at.shield?.rules.mitigation.packet_bytes_max ?? Number.POSITIVE_INFINITY;
    if (protocol === undefined || frameBytes <= max) return at.drop("malformed");
    return judgeUnread(at, { name: "", nameValid: true, protocol, form: "modern", frameBytes });
  }
}

export const loginStarting = new LoginStarting(loginStartFrameBytesMax);
