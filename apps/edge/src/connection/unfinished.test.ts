import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { expect, test } from "vitest";
import { edgeLimits } from "#src/admission/limits.ts";
import { FakeConnection } from "#src/testing/fuzz/fake-connection.ts";
import { createFuzzEdge } from "#src/testing/fuzz/fuzz-edge.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { beginJava } from "./handshake.ts";

function connectionOf(isSlow: boolean): FakeConnection {
  return new FakeConnection({
    remoteAddress: "203.0.113.9",
    isSlow,
    fault: (what) => expect.unreachable(what),
    heard: () => undefined,
  });
}

function hello(host: string): Buffer {
  const handshake = { protocol: 758, host, port: 25_565, intent: "login" } as const;
  return Buffer.concat([encodeHandshake(handshake), encodeLoginStart("Steve")]);
}

test("a player who leaves during verification frees the slot at once, and has failed nothing", () => {
  const edge = createFuzzEdge(new Random(1));
  // The bytes for the player are not sent yet, and never are.
  const socket = connectionOf(true);
  beginJava(socket, "203.0.113.9", 1, edge.deps);
  socket.deliver(hello("high.example"));
  expect(edge.verification.inProgress).toBe(1);
  socket.deliverEnd();
  expect(edge.verification.inProgress).toBe(0);
  expect(socket.isClosed).toBe(true);
  edge.advance(20_000);
  socket.settle();
  expect(edge.deps.outcomes.get("bot_check")).toBe(0);
  expect(edge.deps.outcomes.get("deadline")).toBe(0);
  expect(edge.deps.outcomes.get("left")).toBe(1);
});

test("a player who sends more while the backend is dialled waits, and little of it is kept in memory", () => {
  const edge = createFuzzEdge(new Random(1));
  const deps = { ...edge.deps, dialler: { dial: () => ({ abort: () => undefined }) } };
  const socket = connectionOf(false);
  const session = beginJava(socket, "203.0.113.9", 1, deps);
  socket.deliver(hello("open.example"));
  for (let n = 0; n < 100; n++) socket.deliver(Buffer.alloc(4_096));
  expect(socket.isPaused).toBe(true);
  expect(session.head.length).toBeLessThan(edgeLimits.heldBytesMax + 4_096 + 1);
});
