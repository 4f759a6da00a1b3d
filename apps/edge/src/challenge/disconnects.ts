import { componentFromText, stripCodes } from "@palisade/minecraft-protocol/java/chat";
import { encodeConfigurationDisconnect } from "@palisade/minecraft-protocol/java/configuration";
import { encodeLoginDisconnect } from "@palisade/minecraft-protocol/java/login";
import { encodePlayDisconnect } from "@palisade/minecraft-protocol/java/play";
import type { KickTemplate, KickValues } from "#src/shields/kick-template.ts";
import { TracedPacket } from "#src/shields/traced-packet.ts";
import type { ClientState } from "./rules/client-packets.ts";

/** Frame, packet id and names of fields take less, in every state and version. */
const fixedBytesMax = 40;
/** A character of a text without control characters, in JSON or NBT. */
const characterBytesMax = 3;
/** Stands where a text was cut. */
const ellipsis = "…\n";
/** A longer last line is no code of a trace. */
const lastLineMax = 32;
/** Control characters but the new line: JSON writes them with six bytes. */
const controls = /[^\P{Cc}\n]/gu;

/** Undefined in a state that the version does not have. */
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

/**
 * As much of the text as fits, without colours. Its last line stays, which mostly has the code of the
 * trace. Empty if there is no room for any text.
 */
export function shortDisconnectOf(
  state: ClientState,
  protocol: number,
  text: string,
  bytesMax: number,
): Buffer {
  const room = Math.floor((bytesMax - fixedBytesMax) / characterBytesMax);
  const packet = room > 0 && disconnectOf(state, protocol, shortened(text, room));
  return packet ? packet : Buffer.alloc(0);
}

/** @param length in UTF-16 units */
function shortened(text: string, length: number): string {
  const plain = stripCodes(text).replaceAll(controls, "").toWellFormed();
  if (plain.length <= length) return plain;
  const lastLine = plain.slice(plain.lastIndexOf("\n") + 1);
  const end = lastLine.length <= lastLineMax ? ellipsis + lastLine : ellipsis;
  if (end.length >= length) return plain.slice(0, length).toWellFormed();
  return plain.slice(0, length - end.length).toWellFormed() + end;
}

/** The packet that an impersonal kick was last sent as. */
interface Prepared {
  readonly state: ClientState;
  readonly protocol: number;
  readonly packet: TracedPacket;
}

const prepared = new WeakMap<KickTemplate, Prepared>();

/**
 * The kick as a packet, which is the caller's own. A flood mostly fails in the same state of the same
 * version, so the last packet of each text is kept, and only the code of the trace is written anew.
 */
export function disconnectWith(
  kick: KickTemplate,
  state: ClientState,
  protocol: number,
  values: KickValues,
): Buffer | undefined {
  const last = prepared.get(kick);
  const isAsLast = last?.state === state && last.protocol === protocol;
  const again = isAsLast ? last.packet.with(values.trace) : undefined;
  if (again !== undefined) return Buffer.from(again);
  const packet = disconnectOf(state, protocol, kick.text(values));
  if (packet === undefined || !kick.isImpersonal) return packet;
  prepared.set(kick, { state, protocol, packet: new TracedPacket(packet, values.trace) });
  return Buffer.from(packet);
}
