import {
  encodeConfigurationBrand,
  encodeConfigurationInformation,
  encodeConfigurationKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/configuration";
import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { encodeFrame, encodeVarInt } from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { decodeMovement } from "@palisade/minecraft-protocol/java/limbo/movement";
import { recordedFalls } from "@palisade/minecraft-protocol/java/limbo/recorded-falls";
import { encodeHandshake, type Intent } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { encodePlayKeepAliveAnswer } from "@palisade/minecraft-protocol/java/play";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { teleportId } from "#src/challenge/verification.ts";
import { createTransferCookie, transferCookieKey } from "#src/challenge/transfer-cookie.ts";
import { cookieKey, corpus, protocols } from "./corpus.ts";
import { hosts } from "./fuzz-edge.ts";
import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";

/**
 * The client's next bytes.
 *
 * @param heard bytes since the client last sent some
 */
export type Step = (heard: Buffer) => Buffer;

const intents: readonly Intent[] = ["status", "login", "login", "transfer"];
/** Versions that shields admit. */
const played = protocols.filter((protocol) => protocol >= 47 && isKnown(protocol));
const suffixes = ["", "", "", "\0FML3\0", "///203.0.113.1:1///0", "."];
const uuid = new Uint8Array(16);
const ping = encodeFrame(1, Buffer.alloc(8, 5));
const nothing: Buffer = Buffer.alloc(0);
const information = {
  locale: "en_us",
  viewDistance: 10,
  chatMode: 0,
  chatColours: true,
  skinParts: 127,
  mainHand: 1,
};

export interface ClientScript {
  readonly name: string;
  readonly ip: IpBytes;
  readonly nowMs: number;
}

/** A conversation as some game has it, up to the end of a verification, some of it changed. */
export function scriptOf(random: Random, talker: ClientScript): Step[] {
  if (random.once(8)) return changed(random, [said(random.pick(corpus.legacy))]);
  const protocol = random.pick(random.once(4) ? protocols : played);
  const intent = random.pick(intents);
  const host = random.pick(hosts) + random.pick(suffixes);
  const hello = said(encodeHandshake({ protocol, host, port: 25_565, intent }));
  if (intent === "status") return changed(random, [hello, said(statusRequest), said(ping)]);
  const login = said(encodeLoginStart(talker.name, protocol >= 764 ? uuid : undefined));
  const cookie = intent === "transfer" ? [said(cookieOf(random, talker))] : [];
  return changed(random, [hello, login, ...cookie, ...verificationScriptOf(random, protocol)]);
}

/** The answers of a game during verification. */
export function verificationScriptOf(random: Random, protocol: number): Step[] {
  const echo: Step = (heard) => echoOf(heard, protocol);
  if (protocol >= 764) {
    const settings = [
      encodeConfigurationBrand(protocol, "vanilla") ?? nothing,
      encodeConfigurationInformation(protocol, information) ?? nothing,
    ].map(said);
    const tells = random.once(2) ? settings : [];
    // Settings come as soon as the state is entered; then the question is heard, and answered.
    const enter: Step = () => Buffer.from(loginAcknowledged);
    return [enter, echo].toSpliced(1, 0, ...tells);
  }
  const fall = falls.get(protocol);
  return fall === undefined || random.once(3) ? [echo] : [echo, said(Buffer.concat(fall))];
}

/** One step goes wrong, or many do, or all come together. */
export function changed(random: Random, steps: readonly Step[]): Step[] {
  if (random.once(3)) return [...steps];
  const one = random.once(2) ? undefined : random.below(steps.length);
  const broken = steps.map((step, n): Step => {
    if (one === undefined ? !random.once(3) : n !== one) return step;
    return (heard) => mutate(step(heard), random.pick(corpus.frames), random);
  });
  if (!random.once(4)) return broken;
  return [(heard) => Buffer.concat(broken.map((step) => step(heard)))];
}

function said(bytes: Uint8Array): Step {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return () => buffer;
}

function cookieOf(random: Random, { name, ip, nowMs }: ClientScript): Buffer {
  if (random.once(3)) return random.pick(corpus.cookies);
  const cookie = createTransferCookie({ name, ip }, "protocol", cookieKey, nowMs);
  return encodeLoginCookieResponse(transferCookieKey, cookie);
}

/** The fields of the last packet heard, as the answer to a keep-alive. */
function echoOf(heard: Buffer, protocol: number): Buffer {
  let fields = nothing;
  for (let at = 0; at < heard.length;) {
    const frame = readFrame(heard, at, heard.length);
    if (frame.kind !== "packet") break;
    fields = heard.subarray(frame.bodyStart, frame.bodyEnd);
    at = frame.bodyEnd;
  }
  const answer =
    encodeConfigurationKeepAliveAnswer(protocol, 1n) ?? encodePlayKeepAliveAnswer(protocol, 1n);
  const frame = readFrame(answer ?? nothing, 0, 100);
  return encodeFrame(frame.kind === "packet" ? frame.id : 0, fields);
}

/** By protocol, with this start's place to confirm. */
const falls: ReadonlyMap<number, readonly Buffer[]> = new Map(
  recordedFalls.map(({ protocol, frames }) => [
    protocol,
    frames.map((hex) => fallen(protocol, hex)),
  ]),
);

function fallen(protocol: number, hex: string): Buffer {
  const bytes = Buffer.from(hex, "hex");
  const frame = readFrame(bytes, 0, bytes.length);
  if (frame.kind !== "packet") return bytes;
  const { id, bodyStart, bodyEnd } = frame;
  const isConfirmed =
    decodeMovement(protocol, id, bytes, bodyStart, bodyEnd)?.kind === "teleport-confirmed";
  return isConfirmed ? encodeFrame(id, encodeVarInt(teleportId)) : bytes;
}
