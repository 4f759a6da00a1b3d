import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { encodeFrame, encodeString } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake, type Intent } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { statusRequest } from "@palisade/minecraft-protocol/java/status";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pendingBytesMax } from "./limits.ts";

const connections = 300;
const host = "play.example.org";
const shake = (intent: Intent, to = host): Buffer =>
  encodeHandshake({ protocol: 772, host: to, port: 25_565, intent });
/** A name of its own: one that is in use is let in once. */
const login = (n: number): Buffer => encodeLoginStart(`Bot${n}`, new Uint8Array(16));
const longHandshake = encodeFrame(0, Buffer.alloc(4_000, 0x80));
const cookie = encodeLoginCookieResponse("palisade:verified", Buffer.alloc(5_000));
const register = encodeFrame(2, encodeString("minecraft:register"), Buffer.alloc(8_000, 97));

/**
 * The bytes a client has sent when it falls silent: as many as it can without completing a packet.
 */
const states: readonly (readonly [string, (n: number) => readonly Uint8Array[]])[] = [
  ["says nothing", () => []],
  ["leaves its handshake unfinished", () => [longHandshake.subarray(0, -1)]],
  ["has its status and does not ping", () => [shake("status", "nowhere.example"), statusRequest]],
  ["waits for the status of a server that hangs", () => [shake("status"), statusRequest]],
  ["says no name", () => [shake("login")]],
  ["does not finish its cookie", (n) => [shake("transfer"), login(n), cookie.subarray(0, -1)]],
  ["does not begin its verification", (n) => [shake("login"), login(n)]],
  [
    "leaves a packet of its verification unfinished",
    (n) => [shake("login"), login(n), loginAcknowledged, register.subarray(0, -1)],
  ],
];

interface Facts {
  readonly pending: number;
  readonly bytes: number;
  readonly timers: number;
}

describe("memory of connections without a verdict", () => {
  let edge: ChildProcess;
  let port: number;

  beforeAll(async () => {
    const program = new URL("../testing/memory-process.ts", import.meta.url);
    edge = fork(program, { execArgv: ["--expose-gc"] });
    ({ port } = (await message()) as { port: number });
  });
  afterAll(() => {
    edge.kill("SIGKILL");
  });

  async function message(): Promise<unknown> {
    const [said] = await once(edge, "message");
    return said;
  }

  async function facts(): Promise<Facts> {
    edge.send("measure");
    return (await message()) as Facts;
  }

  test.each(states)(
    "a client that %s costs no more than its bound, and no timer of its own",
    async (_state, said) => {
      const before = await facts();
      const sockets: Socket[] = [];
      for (let n = 0; n < connections; n++) {
        // Each from a network of its own, whose logins are few.
        const localAddress = `127.${9 + (n >> 8)}.${n & 255}.1`;
        const socket = connect({ host: "127.0.0.1", port, localAddress });
        socket.on("error", () => undefined);
        socket.on("data", () => undefined);
        socket.write(Buffer.concat(said(n)));
        sockets.push(socket);
      }
      let held = before;
      // Until all has been read that was sent.
      const isSettled = async (): Promise<boolean> => {
        const last = held.bytes;
        held = await facts();
        return held.pending === connections && Math.abs(held.bytes - last) < 16_384;
      };
      await until(isSettled, { everyMs: 50 });
      const each = Math.round((held.bytes - before.bytes) / connections);
      expect(each).toBeLessThan(pendingBytesMax);
      // All have a deadline, in one wheel: its timer runs while there is one.
      expect(held.timers - before.timers).toBeLessThanOrEqual(1);
      for (const socket of sockets) socket.destroy();
      await until(async () => (await facts()).pending === 0, { everyMs: 20 });
    },
  );
});
