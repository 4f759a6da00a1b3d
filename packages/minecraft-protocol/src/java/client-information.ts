import {
  encodeBoolean,
  encodeShort,
  encodeString,
  encodeVarInt,
  type FieldReader,
} from "./fields.ts";
import { atLeast } from "./versions.ts";

/**
 * Client Information (Client Settings before 1.19): the player's options. A client sends it without
 * being asked: from 1.20.2 on when it enters the configuration state, before that when it has received
 * Join Game. Source: minecraft.wiki, "Java Edition protocol/Packets", Configuration,
 * Client Information, and its history.
 *
 * Only the form is checked: the caller decides about values that a real client never sends, such as a
 * view distance of -3.
 */
export interface ClientInformation {
  /** For example `en_us`; `en_US` before 1.11. */
  readonly locale: string;
  /** Chunks, -128 to 127; real clients send 2 to 32, or more with mods. */
  readonly viewDistance: number;
  /** 0 everything, 1 commands only, 2 hidden. */
  readonly chatMode: number;
  readonly chatColours: boolean;
  /** A bit for each part of the skin that is shown; 0 or 1 for the cape before 1.8. */
  readonly skinParts: number;
  /** 0 left, 1 right; undefined before 1.9. */
  readonly mainHand: number | undefined;
}

/** 16 characters of up to 4 bytes. */
const localeBytesMax = 64;

/** Reads all fields of the packet; the reader reports missing ones. */
export function readClientInformation(fields: FieldReader, protocol: number): ClientInformation {
  const isSince9 = atLeast(protocol, "1.9");
  const locale = fields.string(localeBytesMax);
  const viewDistance = signedByte(fields.unsignedByte());
  const chatMode = isSince9 ? fields.varInt() : fields.unsignedByte();
  const chatColours = fields.boolean();
  // The difficulty of the client's own worlds.
  if (!atLeast(protocol, "1.8")) fields.skip(1);
  const skinParts = fields.unsignedByte();
  const mainHand = isSince9 ? fields.varInt() : undefined;
  if (atLeast(protocol, "1.17")) fields.boolean();
  if (atLeast(protocol, "1.18")) fields.boolean();
  if (atLeast(protocol, "1.21.2")) fields.varInt();
  return { locale, viewDistance, chatMode, chatColours, skinParts, mainHand };
}

function signedByte(value: number): number {
  return value > 0x7f ? value - 0x100 : value;
}

/** The packet's fields as a client sends them, for tests and probes. */
export function clientInformationFields(
  protocol: number,
  { locale, viewDistance, chatMode, chatColours, skinParts, mainHand = 1 }: ClientInformation,
): Buffer {
  const isSince9 = atLeast(protocol, "1.9");
  return Buffer.concat([
    encodeString(locale),
    Buffer.of(viewDistance & 0xff),
    isSince9 ? encodeVarInt(chatMode) : Buffer.of(chatMode),
    encodeBoolean(chatColours),
    atLeast(protocol, "1.8") ? Buffer.of(skinParts) : encodeShort(0x0200 | skinParts),
    isSince9 ? encodeVarInt(mainHand) : Buffer.alloc(0),
    // No text filtering, shown in lists, all particles.
    Buffer.of(0).subarray(atLeast(protocol, "1.17") ? 0 : 1),
    Buffer.of(1).subarray(atLeast(protocol, "1.18") ? 0 : 1),
    Buffer.of(0).subarray(atLeast(protocol, "1.21.2") ? 0 : 1),
  ]);
}
