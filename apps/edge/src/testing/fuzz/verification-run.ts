import { createCipheriv, createDecipheriv } from "node:crypto";
import { encodeFrame, encodeVarInt } from "@palisade/minecraft-protocol/java/fields";
import { packetLimitsOf, verificationLimits } from "#src/challenge/rules/limits.ts";
import type { AccountVerifier } from "#src/challenge/account-challenge.ts";
import { needsLimbo } from "#src/challenge/steps/plan.ts";
import { Verification, type VerificationDeps } from "#src/challenge/verification.ts";
import { LimboClient } from "../limbo-client.ts";
import { kickedSubject } from "../kicked-subject.ts";
import { stubCaptchas } from "../stub-captchas.ts";
import { cookieKey, corpus, protocols } from "./corpus.ts";
import { inPieces, mutate } from "./mutate.ts";
import type { Random } from "./random.ts";
import { changed, verificationScriptOf } from "./client-script.ts";

const secret = Buffer.alloc(16, 9);
const challenges = ["protocol", "premium", "gravity", "gravity", "captcha"] as const;
const tickMs = 50;

/** A session server that knows every player, none, or does not answer; keys cost nothing here. */
function fakePremium(random: Random): AccountVerifier {
  const answers = [
    { kind: "joined", id: "0123456789abcdef0123456789abcdef", name: "Steve_01" },
    { kind: "unknown" },
    { kind: "unavailable" },
  ] as const;
  const answer = random.pick([answers[0], answers[0], ...answers]);
  return {
    isAvailable: !random.once(12),
    request: { serverId: "", publicKey: Buffer.alloc(162, 1) },
    createToken: () => Buffer.alloc(4, 3),
    secretOf: (encrypted: Buffer) => (encrypted.length < 2 ? undefined : secret),
    hasJoined: () => Promise.resolve(answer),
  } as unknown as AccountVerifier;
}

/** One player's verification, without a session. @returns what became of it */
export async function runVerification(random: Random): Promise<string> {
  const protocol = random.pick(protocols);
  const challenge = random.pick(challenges);
  const ends: string[] = [];
  let heard: Buffer[] = [];
  let nowMs = 0;
  const isAble = !random.once(3);
  const deps: VerificationDeps = {
    packetLimits: packetLimitsOf(verificationLimits),
    premium: challenge === "premium" ? fakePremium(random) : undefined,
    nowMs: () => 1,
    monotonicMs: () => nowMs,
    captchas: stubCaptchas,
  };
  const machine = new Verification(
    kickedSubject({
      protocol,
      name: "Steve_01",
      ip: corpus.ip,
      host: random.pick(["play.example.org", ""]),
      port: 25_565,
      challenge,
      isStrict: random.once(2),
      allowsTextCaptcha: random.once(2),
      cookieKey: random.once(2) ? cookieKey : undefined,
      text: (kind) => `§c${kind}`,
    }),
    deps,
    {
      send: (bytes) => void heard.push(bytes),
      answered: () => undefined,
      passed: () => void ends.push("passed"),
      failed: (fault) => void ends.push(fault),
    },
  );
  machine.start();
  const isEncrypted = challenge === "premium" && ends.length === 0;
  if (isEncrypted) {
    heard = [];
    machine.received(encryptionAnswer(random, protocol));
    await Promise.resolve();
    await Promise.resolve();
  }
  const cipher = isEncrypted ? createCipheriv("aes-128-cfb8", secret, secret) : undefined;
  const decipher = isEncrypted ? createDecipheriv("aes-128-cfb8", secret, secret) : undefined;
  const falls = isAble || random.once(2);
  const client = new LimboClient({ protocol, falls, collides: isAble });
  for (const step of changed(random, verificationScriptOf(random, protocol, client))) {
    nowMs += tickMs;
    const sent = Buffer.concat(heard);
    heard = [];
    const said = step(decipher?.update(sent) ?? sent);
    for (const piece of inPieces(said, random)) machine.received(cipher?.update(piece) ?? piece);
  }
  machine.expire();
  if (ends.length !== 1) throw new Error(`a verification has ${ends.length} ends`);
  if (ends[0] === "passed" && !isAble && needsLimbo(challenge)) {
    throw new Error(`a client of ${protocol} that cannot land has passed`);
  }
  return ends[0] ?? "";
}

function encryptionAnswer(random: Random, protocol: number): Buffer {
  if (random.once(2)) {
    const seed = random.pick(corpus.encryptions);
    return random.once(2) ? seed : mutate(seed, random.pick(corpus.frames), random);
  }
  const field = Buffer.alloc(8, 2);
  const length = protocol >= 47 ? encodeVarInt(8) : Buffer.of(0, 8);
  const signs = protocol >= 759 && protocol <= 760 ? [Buffer.of(1)] : [];
  return encodeFrame(1, length, field, ...signs, length, field);
}
