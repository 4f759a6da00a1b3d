import { encodeShortByteArray, encodeString, FieldReader } from "./fields.ts";
import { atLeast } from "./versions.ts";

/**
 * Plugin messages of clients. All clients send the brand: `vanilla` or the name of a modified client.
 * It comes together with Client Information. Source:
 * minecraft.wiki, "Java Edition protocol/Plugin channels", and "Java Edition protocol/Packets",
 * Serverbound Plugin Message.
 */

/** A channel is an identifier; 20 characters before 1.13. */
const channelBytesMax = 512;
/** The most that a server accepts in one message. */
const dataBytesMax = 32_767;
const brandBytesMax = 512;

/** The largest packet that clients send before they play. */
export const pluginMessageFrameBytesMax = 1 + 2 + channelBytesMax + 3 + dataBytesMax;

export type PluginMessage =
  | { readonly kind: "brand"; readonly brand: string }
  | { readonly kind: "plugin-message"; readonly channel: string };

/** Reads all fields of the packet; undefined when they are malformed. */
export function readPluginMessage(
  fields: FieldReader,
  protocol: number,
): PluginMessage | undefined {
  const channel = fields.string(channelBytesMax);
  const data = atLeast(protocol, "1.8")
    ? fields.rest(dataBytesMax)
    : fields.shortByteArray(dataBytesMax);
  if (!fields.complete) return undefined;
  if (channel !== brandChannel(protocol)) return { kind: "plugin-message", channel };
  const brand = readBrand(data, protocol);
  return brand === undefined ? undefined : { kind: "brand", brand };
}

function readBrand(data: Buffer, protocol: number): string | undefined {
  const fields = new FieldReader(data, 0, data.length);
  const brand = fields.string(brandBytesMax);
  if (fields.complete) return brand;
  // 1.7 writes the bare text, but some of its clients use the later form.
  if (atLeast(protocol, "1.8") || data.length > brandBytesMax) return undefined;
  return data.toString("utf8");
}

function brandChannel(protocol: number): string {
  return atLeast(protocol, "1.13") ? "minecraft:brand" : "MC|Brand";
}

/** The brand packet's fields as a client sends them, for tests and probes. */
export function brandFields(protocol: number, brand: string): Buffer {
  const channel = encodeString(brandChannel(protocol));
  const data = atLeast(protocol, "1.8")
    ? encodeString(brand)
    : encodeShortByteArray(Buffer.from(brand));
  return Buffer.concat([channel, data]);
}
