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
import { encodeFrame, encodeLong, encodeString, FieldReader } from "./fields.ts";
import { packetIds } from "./packet-ids.ts";
import { brandFields, readPluginMessage } from "./plugin-message.ts";
import { versionTable } from "./version-table.ts";
import { encodeTextNbt } from "./text-nbt.ts";
import { atLeast, isKnown } from "./versions.ts";

/**
 * Configuration state, from 1.20.2 on: between Login Acknowledged and play. Source: minecraft.wiki,
 * "Java Edition protocol/Packets", Configuration, and its history.
 *
 * A client sends its brand and its Client Information when it enters the state, answers a keep-alive at
 * once and otherwise waits, so a verification needs no registries. It ends with Store Cookie and
 * Transfer (cookies.ts) or with a disconnect. Encoders return undefined when the version has no such
 * state.
 */

const { toClient, toServer } = packetIds.configuration;

/** The highest id that clients send. The tables that packet-ids.ts is made from have later packets in 1.21, too. */
const highestId = versionTable([
  ["1.20.2", 0x05],
  ["1.20.5", 0x07],
  ["1.21.6", 0x08],
  ["1.21.9", 0x09],
]);

/** @param id 0 to `keepAliveIdMax` */
export function encodeConfigurationKeepAlive(protocol: number, id: bigint): Buffer | undefined {
  const packetId = toClient.keepAlive(protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, encodeLong(id));
}

export function encodeConfigurationDisconnect(
  protocol: number,
  reason: TextComponent,
): Buffer | undefined {
  const packetId = toClient.disconnect(protocol);
  if (packetId === undefined) return undefined;
  const text = atLeast(protocol, "1.20.3")
    ? encodeTextNbt(reason)
    : encodeString(JSON.stringify(reason));
  return encodeFrame(packetId, text);
}

/** Decodes the packet of `id` whose fields lie between `start` and `end`, exactly. */
export function decodeConfigurationPacket(
  protocol: number,
  id: number,
  bytes: Buffer,
  start: number,
  end: number,
): ClientPacket {
  const highest = highestId(protocol);
  if (highest === undefined || id < 0) return unknownPacket;
  if (id > highest) return isKnown(protocol) ? unknownPacket : otherPacket;
  const fields = new FieldReader(bytes, start, end);
  switch (id) {
    case toServer.keepAlive(protocol): {
      const keepAlive = fields.long();
      return fits(fields, protocol) ? { kind: "keep-alive", id: keepAlive } : malformedPacket;
    }
    case toServer.clientInformation(protocol): {
      const information = readClientInformation(fields, protocol);
      return fits(fields, protocol) ? { kind: "client-information", information } : malformedPacket;
    }
    case toServer.pluginMessage(protocol):
      return readPluginMessage(fields, protocol) ?? malformedPacket;
    case toServer.finishConfiguration(protocol):
      return fits(fields, protocol) ? { kind: "configuration-finished" } : malformedPacket;
    default:
      return otherPacket;
  }
}

/** A client's answer to a keep-alive, for tests and probes; likewise the others below. */
export function encodeConfigurationKeepAliveAnswer(
  protocol: number,
  id: bigint,
): Buffer | undefined {
  const packetId = toServer.keepAlive(protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, encodeLong(id));
}

export function encodeConfigurationInformation(
  protocol: number,
  information: ClientInformation,
): Buffer | undefined {
  const packetId = toServer.clientInformation(protocol);
  if (packetId === undefined) return undefined;
  return encodeFrame(packetId, clientInformationFields(protocol, information));
}

export function encodeConfigurationBrand(protocol: number, brand: string): Buffer | undefined {
  const packetId = toServer.pluginMessage(protocol);
  return packetId === undefined ? undefined : encodeFrame(packetId, brandFields(protocol, brand));
}
