import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake, type Intent } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { isKnown } from "@palisade/minecraft-protocol/java/versions";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { createTransferCookie, transferCookieKey } from "#src/challenge/transfer-cookie.ts";
import { LimboClient } from "../limbo-client.ts";
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

/**
 * The answers of a game during verification: at once to what it hears, and then a packet for each tick
 * of its own. Some games do not fall, or not onto blocks.
 */
export function verificationScriptOf(
  random: Random,
  protocol: number,
  client = new LimboClient({ protocol, falls: !random.once(6), collides: !random.once(6) }),
): Step[] {
  const answers: Step = (heard) => client.hear(heard);
  const ticks: Step = (heard) => Buffer.concat([client.hear(heard), client.tick()]);
  const count = random.once(3) ? 0 : random.below(120);
  return [answers, answers, answers, ...Array.from({ length: count }, () => ticks)];
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
