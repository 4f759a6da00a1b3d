import type { ClientPacket } from "@palisade/minecraft-protocol/java/client-packet";
import {
  decodeConfigurationPacket,
  encodeConfigurationKeepAlive,
} from "@palisade/minecraft-protocol/java/configuration";
import type { FrameResult } from "@palisade/minecraft-protocol/java/frame";
import { decodePlayPacket, encodePlayKeepAlive } from "@palisade/minecraft-protocol/java/play";

export type Packet = Extract<FrameResult, { kind: "packet" }>;

/**
 * States of a verified client, by the names of the protocol. They decide how packets are read and
 * written; a state that a version does not have gives undefined.
 */
export type ClientState = "login" | "configuration" | "play";

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
