import type { TextComponent } from "./chat.ts";
import { clientInformationFields, readClientInformation } from "./client-information.ts";
import type { ClientInformation } from "./client-information.ts";
import {
  fits,
  malformedPacket,
  otherPacket,
  unknownPacket,
  type ClientPacket,
} from "./client-packet.ts";
import { encodeFrame, encodeInt, encodeLong, encodeVarInt, FieldReader } from "./fields.ts";
import { packetIds } from "./packet-ids.ts";
import { encodePlayText } from "./play-text.ts";
import { brandFields, readPluginMessage } from "./plugin-message.ts";
import { atLeast } from "./versions.ts";

/**
 * Play state. Clients of versions without a configuration state, 1.7.2 to 1.20.1, are in it from Login
 * Success on. Source: minecraft.wiki, "Java Edition protocol/Packets", Play, and its history.
 *
 * Before Join Game a client only answers keep-alives and accepts a disconnect; it sends brand and Client
 * Information after Join Game (limbo/). The decoder and the encoders for tests know no later versions:
 * those clients are in this state in the limbo alone (limbo/client-packets.ts).
 */

const { toClient, toServer } = packetIds.play;

function clientId(
  name: "clientInformation" | "highest" | "keepAlive" | "pluginMessage",
  protocol: number,
): number | undefined {
  return atLeast(protocol, "1.20.2") ? undefined : toServer[name](protocol);
}

/** @param id 0 to `keepAliveIdMax` */
export function encodePlayKeepAlive(protocol: number, id: bigint): Buffer | undefined {
  const packetId = toClient.keepAlive(protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, keepAliveField(protocol, id));
}

function keepAliveField(protocol: number, id: bigint): Buffer {
  if (atLeast(protocol, "1.12.2")) return encodeLong(id);
  const narrow = Number(BigInt.asIntN(32, id));
  return atLeast(protocol, "1.8") ? encodeVarInt(narrow) : encodeInt(narrow);
}

export function encodePlayDisconnect(protocol: number, reason: TextComponent): Buffer | undefined {
  const packetId = toClient.disconnect(protocol);
  return packetId === undefined
    ? undefined
    : encodeFrame(packetId, encodePlayText(protocol, reason));
}

/** Decodes the packet of `id` whose fields lie between `start` and `end`, exactly. */
export function decodePlayPacket(
  protocol: number,
  id: number,
  bytes: Buffer,
  start: number,
  end: number,
): ClientPacket {
  if (id < 0 || id > (clientId("highest", protocol) ?? -1)) return unknownPacket;
  const fields = new FieldReader(bytes, start, end);
  switch (id) {
    case toServer.keepAlive(protocol): {
      const keepAlive = readKeepAliveField(fields, protocol);
      return fits(fields, protocol) ? { kind: "keep-alive", id: keepAlive } : malformedPacket;
    }
    case toServer.clientInformation(protocol): {
      const information = readClientInformation(fields, protocol);
      return fits(fields, protocol) ? { kind: "client-information", information } : malformedPacket;
    }
    case toServer.pluginMessage(protocol):
      return readPluginMessage(fields, protocol) ?? malformedPacket;
    default:
      return otherPacket;
  }
}

/** The id of a client's answer, whose width differs by version. */
export function readKeepAliveField(fields: FieldReader, protocol: number): bigint {
  if (atLeast(protocol, "1.12.2")) return fields.long();
  return BigInt(atLeast(protocol, "1.8") ? fields.varInt() : fields.int());
}

/** A client's answer to a keep-alive, for tests and probes; likewise the others below. */
export function encodePlayKeepAliveAnswer(protocol: number, id: bigint): Buffer | undefined {
  const packetId = clientId("keepAlive", protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, keepAliveField(protocol, id));
}

export function encodePlayInformation(
  protocol: number,
  information: ClientInformation,
): Buffer | undefined {
  const packetId = clientId("clientInformation", protocol);
  if (packetId === undefined) return undefined;
  return encodeFrame(packetId, clientInformationFields(protocol, information));
}

export function encodePlayBrand(protocol: number, brand: string): Buffer | undefined {
  const packetId = clientId("pluginMessage", protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, brandFields(protocol, brand));
}
