import { EventEmitter } from "node:events";
import { closeCodes, type ServerFrame } from "@palisade/contract/http/live-channel";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  bufferedBytesMax,
  openLiveConnection,
  type LiveConnection,
  type LiveWebSocket,
} from "./live-connection.ts";
import { createLiveMetrics } from "./live-metrics.ts";

class StubSocket extends EventEmitter {
  bufferedAmount = 0;
  readonly sent: ServerFrame[] = [];
  pings = 0;
  code: number | undefined;
  isTerminated = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ServerFrame);
  }
  close(code: number): void {
    this.code ??= code;
  }
  terminate(): void {
    this.isTerminated = true;
  }
  ping(): void {
    this.pings += 1;
  }
}

const viewer = { userId: "user", sessionId: "session", isStaff: false, name: "Ada" };
const ended = vi.fn<(connection: LiveConnection) => void>();

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  ended.mockClear();
});

function open() {
  const socket = new StubSocket();
  const registry = new Registry();
  const connection = openLiveConnection(socket as unknown as LiveWebSocket, undefined, {
    authenticate: async () => viewer,
    handle: async () => undefined,
    ended,
    metrics: createLiveMetrics(registry),
    log: { warn: () => undefined },
  });
  return { socket, connection, registry };
}

async function openAuthenticated() {
  const opened = open();
  const frame = JSON.stringify({ event: "authenticate", data: { token: "psl_1" } });
  opened.socket.emit("message", Buffer.from(frame), false);
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.socket.sent).toEqual([{ event: "authenticated", data: {} }]);
  return opened;
}

test("a client that does not authenticate within ten seconds is refused", async () => {
  const { socket } = open();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(socket.code).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.code).toBe(closeCodes.authenticationFailed);
  expect(ended).toHaveBeenCalledTimes(1);
  expect(socket.isTerminated).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(socket.isTerminated).toBe(true);
});

test("a client that leaves two heartbeats unanswered is gone; one that answers stays", async () => {
  const { socket, connection } = await openAuthenticated();
  for (let beat = 0; beat < 6; beat += 1) {
    connection.beat();
    if (beat % 2 === 1) socket.emit("pong");
  }
  expect(socket.pings).toBe(6);
  expect(socket.isTerminated).toBe(false);
  connection.beat();
  connection.beat();
  connection.beat();
  expect(socket.isTerminated).toBe(true);
  expect(ended).toHaveBeenCalledTimes(1);
  expect(socket.sent.filter(({ event }) => event === "heartbeat")).toHaveLength(8);
});

test("a client that does not read is closed before it fills the memory", async () => {
  const { socket, connection } = await openAuthenticated();
  socket.bufferedAmount = bufferedBytesMax + 1;
  connection.send({ event: "heartbeat", data: {} });
  expect(socket.code).toBe(closeCodes.tooSlow);
  connection.send({ event: "heartbeat", data: {} });
  expect(socket.sent).toHaveLength(1);
});

test("metrics count connections by state, frames by event and closes by code", async () => {
  const { socket, connection, registry } = await openAuthenticated();
  open();
  expect(await registry.getSingleMetricAsString("palisade_live_connections")).toContain(
    'palisade_live_connections{state="authenticated"} 1',
  );
  connection.close(closeCodes.goingAway);
  connection.close(closeCodes.goingAway);
  socket.emit("close");
  const text = await registry.metrics();
  expect(text).toContain('palisade_live_connections{state="authenticated"} 0');
  expect(text).toContain('palisade_live_frames_sent_total{event="authenticated"} 1');
  expect(text).toContain('palisade_live_closed_total{code="1001"} 1');
});
