import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { expect, test } from "vitest";
import { FakeSocket } from "#src/testing/fuzz/fake-socket.ts";
import { createFuzzEdge } from "#src/testing/fuzz/fuzz-edge.ts";
import { Session } from "./session.ts";

test("who has left while he was verified gives his place back at once, and has failed nothing", () => {
  const edge = createFuzzEdge();
  const socket = new FakeSocket({
    remoteAddress: "203.0.113.9",
    // What he was sent is not out yet: the connection stays until it is, or its deadline.
    isSlow: true,
    fault: (what) => expect.unreachable(what),
    heard: () => undefined,
  });
  void new Session(socket.asSocket, "203.0.113.9", 1, edge.deps);
  const handshake = { protocol: 758, host: "high.example", port: 25_565, intent: "login" } as const;
  socket.deliver(Buffer.concat([encodeHandshake(handshake), encodeLoginStart("Steve")]));
  expect(edge.desk.seated).toBe(1);
  socket.deliverEnd();
  expect(edge.desk.seated).toBe(0);
  expect(socket.isClosed).toBe(false);
  edge.skip(20_000);
  socket.settle();
  expect(socket.isClosed).toBe(true);
  expect(edge.deps.outcomes.get("bot_check")).toBe(0);
  expect(edge.deps.outcomes.get("deadline")).toBe(1);
});
