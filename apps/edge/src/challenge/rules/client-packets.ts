import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import type { ClientPacket } from "@palisade/minecraft-protocol/java/client-packet";
import {
  decodeConfigurationPacket,
  encodeConfigurationDisconnect,
  encodeConfigurationKeepAlive,
} from "@palisade/minecraft-protocol/java/configuration";
import type { FrameResult } from "@palisade/minecraft-protocol/java/frame";
import { encodeLoginDisconnect } from "@palisade/minecraft-protocol/java/login";
import {
  decodePlayPacket,
  encodePlayDisconnect,
  encodePlayKeepAlive,
} from "@palisade/minecraft-protocol/java/play";

export type Packet = Extract<FrameResult, { kind: "packet" }>;

/**
 * States of a verified client, by the names of the protocol. They decide how packets are read and
 * written; a state that a version does not have gives undefined.
 */
export type ClientState = "login" | "configuration" | "play";

export function disconnectOf(
  state: ClientState,
  protocol: number,
  text: string,
): Buffer | undefined {
  const reason = componentFromText(text);
  if (state === "login") return encodeLoginDisconnect(JSON.stringify(reason));
  return state === "play"
    ? encodePlayDisconnect(protocol, reason)
    : encodeConfigurationDisconnect(protocol, reason);
}

export function keepAliveOf(state: ClientState, protocol: number, id: bigint): Buffer | undefined {
  return state === "play"
    ? encodePlayKeepAlive(protocol, id)
    : encodeConfigurationKeepAlive(protocol, id);
}

export function clientPacketOf(
  state: ClientState,
  protocol: number,
  bytes: Buffer,
  { id, bodyStart, bodyEnd }: Packet,
): ClientPacket {
  return state === "play"
    ? decodePlayPacket(protocol, id, bytes, bodyStart, bodyEnd)
    : decodeConfigurationPacket(protocol, id, bytes, bodyStart, bodyEnd);
}
