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
import { versionTable } from "./version-table.ts";
import { atLeast } from "./versions.ts";

/**
 * Play state. Clients of versions without a configuration state, 1.7.2 to 1.20.1, are in it from Login
 * Success on. Source: minecraft.wiki, "Java Edition protocol/Packets", Play, and its history.
 *
 * Before Join Game a client only answers keep-alives and accepts a disconnect; it sends brand and Client
 * Information after Join Game (limbo/). The decoder and the encoders for tests know no later versions:
 * those clients are in this state in the limbo alone (limbo/client-packets.ts).
 */

interface ClientIds {
  readonly keepAlive: number;
  readonly information: number;
  readonly pluginMessage: number;
  /** The highest id that clients send. */
  readonly highest: number;
}

const clientIds = versionTable<ClientIds | undefined>([
  ["1.7.2", { keepAlive: 0x00, information: 0x15, pluginMessage: 0x17, highest: 0x17 }],
  ["1.8", { keepAlive: 0x00, information: 0x15, pluginMessage: 0x17, highest: 0x19 }],
  ["1.9", { keepAlive: 0x0b, information: 0x04, pluginMessage: 0x09, highest: 0x1d }],
  ["1.12", { keepAlive: 0x0c, information: 0x05, pluginMessage: 0x0a, highest: 0x20 }],
  ["1.12.1", { keepAlive: 0x0b, information: 0x04, pluginMessage: 0x09, highest: 0x20 }],
  ["1.13", { keepAlive: 0x0e, information: 0x04, pluginMessage: 0x0a, highest: 0x2a }],
  ["1.14", { keepAlive: 0x0f, information: 0x05, pluginMessage: 0x0b, highest: 0x2d }],
  ["1.16", { keepAlive: 0x10, information: 0x05, pluginMessage: 0x0b, highest: 0x2e }],
  ["1.16.2", { keepAlive: 0x10, information: 0x05, pluginMessage: 0x0b, highest: 0x2f }],
  ["1.17", { keepAlive: 0x0f, information: 0x05, pluginMessage: 0x0a, highest: 0x2f }],
  ["1.19", { keepAlive: 0x11, information: 0x07, pluginMessage: 0x0c, highest: 0x31 }],
  ["1.19.1", { keepAlive: 0x12, information: 0x08, pluginMessage: 0x0d, highest: 0x32 }],
  ["1.19.3", { keepAlive: 0x11, information: 0x07, pluginMessage: 0x0c, highest: 0x32 }],
  ["1.19.4", { keepAlive: 0x12, information: 0x08, pluginMessage: 0x0d, highest: 0x32 }],
  ["1.20.2", undefined],
]);

/** @param id 0 to `keepAliveIdMax` */
export function encodePlayKeepAlive(protocol: number, id: bigint): Buffer | undefined {
  const packetId = packetIds.play.toClient.keepAlive(protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, keepAliveField(protocol, id));
}

function keepAliveField(protocol: number, id: bigint): Buffer {
  if (atLeast(protocol, "1.12.2")) return encodeLong(id);
  const narrow = Number(BigInt.asIntN(32, id));
  return atLeast(protocol, "1.8") ? encodeVarInt(narrow) : encodeInt(narrow);
}

export function encodePlayDisconnect(protocol: number, reason: TextComponent): Buffer | undefined {
  const packetId = packetIds.play.toClient.disconnect(protocol);
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
  const known = clientIds(protocol);
  if (known === undefined || id < 0 || id > known.highest) return unknownPacket;
  const fields = new FieldReader(bytes, start, end);
  switch (id) {
    case known.keepAlive: {
      const keepAlive = readKeepAliveField(fields, protocol);
      return fits(fields, protocol) ? { kind: "keep-alive", id: keepAlive } : malformedPacket;
    }
    case known.information: {
      const information = readClientInformation(fields, protocol);
      return fits(fields, protocol) ? { kind: "client-information", information } : malformedPacket;
    }
    case known.pluginMessage:
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
  const packetId = clientIds(protocol)?.keepAlive;
  return packetId === undefined ? undefined : encodeFrame(packetId, keepAliveField(protocol, id));
}

export function encodePlayInformation(
  protocol: number,
  information: ClientInformation,
): Buffer | undefined {
  const packetId = clientIds(protocol)?.information;
  if (packetId === undefined) return undefined;
  return encodeFrame(packetId, clientInformationFields(protocol, information));
}

export function encodePlayBrand(protocol: number, brand: string): Buffer | undefined {
  const packetId = clientIds(protocol)?.pluginMessage;
  return packetId === undefined ? undefined : encodeFrame(packetId, brandFields(protocol, brand));
}
