import { encodeFrame, encodeVarInt } from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { decodeMovement } from "@palisade/minecraft-protocol/java/limbo/movement";
import { recordedFalls } from "@palisade/minecraft-protocol/java/limbo/recorded-falls";
import {
  encodePlayKeepAlive,
  encodePlayKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/play";
import { describe, expect, test } from "vitest";
import { verificationLimits } from "./rules/limits.ts";
import { teleportId, Verification } from "./verification.ts";

type Fall = (typeof recordedFalls)[number];

function begin(protocol: number, isStrict = true) {
  const heard: string[] = [];
  const sent: Buffer[] = [];
  const verification = new Verification(
    {
      protocol,
      name: "Steve",
      ip: Uint8Array.of(203, 0, 113, 9),
      host: "play.example.org",
      port: 25_565,
      challenge: "gravity",
      isStrict,
      cookieKey: undefined,
      text: (about) => about,
    },
    { limits: verificationLimits, premium: undefined, nowMs: () => 0 },
    {
      send: (bytes) => void sent.push(bytes),
      answered: () => undefined,
      passed: () => void heard.push("passed"),
      failed: (fault) => void heard.push(fault),
    },
  );
  verification.start();
  return { verification, heard, echo: echoTo(protocol, Buffer.concat(sent)) };
}

/** The answer to the keep-alive, which is the last packet of what was sent. */
function echoTo(protocol: number, sent: Buffer): Buffer {
  let last = { bodyStart: 0, bodyEnd: 0 };
  for (let at = 0; at < sent.length; at = last.bodyEnd) {
    const frame = readFrame(sent, at, 1_000_000);
    if (frame.kind !== "packet") throw new Error("no whole frames");
    last = frame;
  }
  const fields = sent.subarray(last.bodyStart, last.bodyEnd);
  const question = encodePlayKeepAlive(protocol, 1n);
  const answer = encodePlayKeepAliveAnswer(protocol, 1n);
  if (question === undefined || answer === undefined) throw new Error("no keep-alive");
  const frame = readFrame(answer, 0, 100);
  return encodeFrame(frame.kind === "packet" ? frame.id : -1, fields);
}

/** The frames of the real client, with the teleport id of this start. */
function clientOf({ protocol, frames }: Fall, confirms = teleportId): Buffer[] {
  return frames.map((hex) => {
    const bytes = Buffer.from(hex, "hex");
    const frame = readFrame(bytes, 0, 10_000);
    if (frame.kind !== "packet") throw new Error("no frame");
    const { id, bodyStart, bodyEnd } = frame;
    const movement = decodeMovement(protocol, id, bytes, bodyStart, bodyEnd);
    return movement?.kind === "teleport-confirmed"
      ? encodeFrame(id, encodeVarInt(confirms))
      : bytes;
  });
}

describe.each(recordedFalls)("$version:", (fall) => {
  const { protocol } = fall;

  test("a real client passes by falling and answering, whichever comes first", () => {
    for (const echoFirst of [true, false]) {
      const { verification, heard, echo } = begin(protocol);
      const frames = clientOf(fall);
      // Settings and brand come with the world, before either.
      if (echoFirst) frames.splice(2, 0, echo);
      else frames.push(echo);
      verification.received(Buffer.concat(frames));
      expect(heard).toEqual(["passed"]);
    }
  });

  test("a player who only answers does not pass", () => {
    const { verification, heard, echo } = begin(protocol);
    verification.received(echo);
    expect(heard).toEqual([]);
    verification.expire();
    expect(heard).toEqual(["silence"]);
  });

  test("a player who stays in the air fails at once", () => {
    const { verification, heard, echo } = begin(protocol);
    const frames = clientOf(fall);
    const moves = frames.filter((bytes) => isMove(protocol, bytes));
    const stays = moves.slice(2, 4);
    verification.received(Buffer.concat([...frames.slice(0, -moves.length + 3), echo]));
    verification.received(Buffer.concat([...stays, ...stays, ...stays]));
    expect(heard).toEqual(["no-fall"]);
  });
});

function isMove(protocol: number, bytes: Buffer): boolean {
  const frame = readFrame(bytes, 0, 10_000);
  if (frame.kind !== "packet") return false;
  return (
    decodeMovement(protocol, frame.id, bytes, frame.bodyStart, frame.bodyEnd)?.kind === "moved"
  );
}

test("a player with an impossible position, or who confirms another teleport, does not pass", () => {
  const confirming = recordedFalls.filter(({ protocol }) => protocol >= 107);
  expect(confirming.length).toBeGreaterThan(3);
  for (const fall of confirming) {
    const { verification, heard } = begin(fall.protocol);
    verification.received(Buffer.concat(clientOf(fall, teleportId + 1)));
    expect(heard).toEqual(["wrong-echo"]);
  }
});
