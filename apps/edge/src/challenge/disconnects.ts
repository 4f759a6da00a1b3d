import { componentFromText, stripCodes } from "@palisade/minecraft-protocol/java/chat";
import { encodeConfigurationDisconnect } from "@palisade/minecraft-protocol/java/configuration";
import { encodeLoginDisconnect } from "@palisade/minecraft-protocol/java/login";
import { encodePlayDisconnect } from "@palisade/minecraft-protocol/java/play";
import type { KickTemplate, KickValues } from "#src/shields/kick-template.ts";
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

/** The packet that a kick was last sent as. */
interface Prepared {
  readonly state: ClientState;
  readonly protocol: number;
  readonly packet: Buffer;
  readonly traceBytes: number;
  /** The offsets of the code of the trace. */
  readonly traces: readonly number[];
}

/** Texts that name the player are made for each of them. */
const prepared = new WeakMap<KickTemplate, Prepared | "names the player">();

/**
 * The kick as a packet. A flood mostly fails in the same state of the same version, so the last packet
 * of each text is kept, and only the code of the trace is written anew.
 */
export function disconnectWith(
  kick: KickTemplate,
  state: ClientState,
  protocol: number,
  values: KickValues,
): Buffer | undefined {
  const last = prepared.get(kick);
  const { trace } = values;
  if (last === "names the player") return disconnectOf(state, protocol, kick.text(values));
  if (last?.state === state && last.protocol === protocol && last.traceBytes === trace.length) {
    const packet = Buffer.from(last.packet);
    for (const at of last.traces) packet.write(trace, at, "latin1");
    return packet;
  }
  const text = kick.text(values);
  const packet = disconnectOf(state, protocol, text);
  if (packet === undefined) return undefined;
  if (text !== kick.text({ ...values, player: "" })) {
    prepared.set(kick, "names the player");
    return packet;
  }
  const traces = offsetsOf(packet, trace);
  prepared.set(kick, { state, protocol, packet, traceBytes: trace.length, traces });
  // The caller may change what it gets.
  return Buffer.from(packet);
}

/** The code is random, so no owner has it in a text. */
function offsetsOf(packet: Buffer, trace: string): number[] {
  const offsets: number[] = [];
  if (trace === "") return offsets;
  for (let at = packet.indexOf(trace); at >= 0; at = packet.indexOf(trace, at + 1))
    offsets.push(at);
  return offsets;
}
