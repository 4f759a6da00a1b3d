import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { beforeEach, describe, expect, test } from "vitest";
import type { FinishedLogin } from "#src/telemetry/login-log.ts";
import { FakeConnection } from "#src/testing/fuzz/fake-connection.ts";
import { createFuzzEdge, type FuzzEdge } from "#src/testing/fuzz/fuzz-edge.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { beginJava } from "./handshake.ts";
import type { JavaConnection } from "./java-connection.ts";
import type { ConnectionDeps } from "./connection-deps.ts";

const from = "203.0.113.9";
const verified = "high.example";
const dialled = "open.example";

let edge: FuzzEdge;
let notes: FinishedLogin[];
let last: JavaConnection;

beforeEach(() => {
  edge = createFuzzEdge(new Random(1));
  notes = [];
});

/** A player who joins, and whose backend never answers. */
function join(host: string, intent: "login" | "transfer" = "login"): FakeConnection {
  const deps: ConnectionDeps = {
    ...edge.deps,
    logins: { note: (login) => void notes.push(login) },
    attackSamples: { note: () => undefined },
    dialler: { dial: () => ({ abort: () => undefined }) },
  };
  const fault = (what: string) => expect.unreachable(what);
  const heard = () => undefined;
  const socket = new FakeConnection({ remoteAddress: from, isSlow: false, fault, heard });
  last = beginJava(socket, from, 1, deps);
  const handshake = { protocol: 772, host, port: 25_565, intent } as const;
  const start = encodeLoginStart("Steve", new Uint8Array(16));
  socket.deliver(Buffer.concat([encodeHandshake(handshake), start]));
  return socket;
}

function leave(socket: FakeConnection): void {
  socket.destroy();
  socket.settle();
}

function refusedOf(host: string): number {
  return edge.shields.hosts.find(host)?.counters.refused.get("bot_check") ?? 0;
}

describe("a player who leaves before the verdict is in the owner's log once", () => {
  test.each([
    ["during verification", "login", { verification: "left" }],
    ["while the cookie is requested", "transfer", { cookie: "left" }],
  ] as const)("%s: counts as not passed, and leads to no ban", (_when, intent, facts) => {
    leave(join(verified, intent));
    expect(notes).toMatchObject([{ verdict: "bot_check", player: "Steve", facts, shadow: false }]);
    expect(refusedOf(verified)).toBe(1);
    expect(edge.deps.outcomes.get("left")).toBe(1);
  });

  test("while the backend is dialled: counts as left, because no rule has refused the player", () => {
    const socket = join(dialled);
    socket.deliverEnd();
    socket.settle();
    expect(notes).toMatchObject([{ verdict: "left", player: "Steve" }]);
    expect(refusedOf(dialled)).toBe(0);
  });

  test.each([
    ["verified", verified],
    ["dialled", dialled],
  ])("if the edge ends it during %s: with the reason, and not as a bot", (_when, host) => {
    const socket = join(host);
    last.shed("shed_pending");
    socket.settle();
    expect(notes).toMatchObject([{ verdict: "left", facts: { edge: "shed_pending" } }]);
    expect(refusedOf(host)).toBe(0);
  });
});
