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

interface Ids {
  readonly keepAliveOut: number;
  readonly disconnect: number;
  readonly information: number;
  readonly pluginMessage: number;
  readonly finished: number;
  readonly keepAliveIn: number;
}

const ids = versionTable<Ids>([
  [
    "1.20.2",
    {
      keepAliveOut: 0x03,
      disconnect: 0x01,
      information: 0x00,
      pluginMessage: 0x01,
      finished: 0x02,
      keepAliveIn: 0x03,
    },
  ],
  // The cookie packets were inserted before the others.
  [
    "1.20.5",
    {
      keepAliveOut: 0x04,
      disconnect: 0x02,
      information: 0x00,
      pluginMessage: 0x02,
      finished: 0x03,
      keepAliveIn: 0x04,
    },
  ],
]);

/** The highest id that clients send. */
const highestId = versionTable([
  ["1.20.2", 0x05],
  ["1.20.5", 0x07],
  ["1.21.6", 0x08],
  ["1.21.9", 0x09],
]);

/** @param id 0 to `keepAliveIdMax` */
export function encodeConfigurationKeepAlive(protocol: number, id: bigint): Buffer | undefined {
  const packetId = ids(protocol)?.keepAliveOut;
  return packetId === undefined ? undefined : encodeFrame(packetId, encodeLong(id));
}

export function encodeConfigurationDisconnect(
  protocol: number,
  reason: TextComponent,
): Buffer | undefined {
  const packetId = ids(protocol)?.disconnect;
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
  const known = ids(protocol);
  if (known === undefined || id < 0) return unknownPacket;
  if (id > (highestId(protocol) ?? 0)) return isKnown(protocol) ? unknownPacket : otherPacket;
  const fields = new FieldReader(bytes, start, end);
  switch (id) {
    case known.keepAliveIn: {
      const keepAlive = fields.long();
      return fits(fields, protocol) ? { kind: "keep-alive", id: keepAlive } : malformedPacket;
    }
    case known.information: {
      const information = readClientInformation(fields, protocol);
      return fits(fields, protocol) ? { kind: "client-information", information } : malformedPacket;
    }
    case known.pluginMessage:
      return readPluginMessage(fields, protocol) ?? malformedPacket;
    case known.finished:
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
  const packetId = ids(protocol)?.keepAliveIn;
  return packetId === undefined ? undefined : encodeFrame(packetId, encodeLong(id));
}

export function encodeConfigurationInformation(
  protocol: number,
  information: ClientInformation,
): Buffer | undefined {
  const packetId = ids(protocol)?.information;
  if (packetId === undefined) return undefined;
  return encodeFrame(packetId, clientInformationFields(protocol, information));
}

export function encodeConfigurationBrand(protocol: number, brand: string): Buffer | undefined {
  const packetId = ids(protocol)?.pluginMessage;
  return packetId === undefined ? undefined : encodeFrame(packetId, brandFields(protocol, brand));
}
