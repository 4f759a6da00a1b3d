import { connect } from "node:net";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { SocketHolderProcess } from "#src/hot-restart/socket-holder-process.ts";
import { ListeningSockets } from "./listening-sockets.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  startTestEdge,
  testBackend,
  testGroup,
  TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";
import { loginOf } from "#src/testing/threaded-edge.ts";

const waiting = 60;
const stillMs = 550;
const question = encodeFrame(4, Buffer.from("a question"));

/** As a machine does that is busy with others. */
function standStill(): void {
  const endMs = performance.now() + stillMs;
  while (performance.now() < endMs);
}

function otherGroup(backend: number, port: number) {
  return {
    ...testGroup(testBackend(backend, 20)),
    id: "0190a000-0000-7000-8000-000000000070",
    default: false,
    game: "other" as const,
    port,
  };
}

async function startEdgeOf(folder: string, port: number, isSuccessor: boolean) {
  const log = pino({ level: "silent" });
  const holder = new SocketHolderProcess({ folder, lifeline: undefined, log });
  const sockets = new ListeningSockets(holder, isSuccessor);
  const many = { pendingPerIpMax: 1_000, openPerIpMax: 1_000 };
  return startTestEdge(many, undefined, undefined, undefined, undefined, {
    sockets,
    isSuccessor,
    port,
  });
}

test("a connection that waits to be accepted when an edge drains is let in, at every port, however busy the machine", async () => {
  let isFirst = true;
  const backend = await startTestBackend({
    onRaw: (socket) => {
      if (isFirst) standStill();
      isFirst = false;
      socket.write("welcome");
      socket.resume().on("end", () => socket.end());
    },
  });
  onTestFinished(backend.stop);
  const folder = await createTemporaryFolder("sockets");
  onTestFinished(folder.remove);
  const port = await freePort();
  const groups = [testGroup(testBackend(backend.port)), otherGroup(backend.port, port)];
  const edge = await startEdgeOf(folder.path, 0, false);
  edge.apply({ groups });
  await until(() => edge.playerPorts().includes(port));
  edge.becomePredecessor();
  const successor = await startEdgeOf(folder.path, edge.port, true);
  successor.apply({ groups });
  onTestFinished(successor.stop);
  // None of them has been accepted when the predecessor begins to drain.
  const players = Array.from({ length: waiting }, (_, n) => {
    const to = n % 2 === 0 ? edge.port : port;
    const player = new TestPlayer(connect({ host: "127.0.0.1", port: to, allowHalfOpen: true }));
    onTestFinished(() => void player.socket.destroy());
    player.send(loginOf(`Waiting${n}`));
    return player;
  });
  await edge.drain(true);
  await successor.takeOver();
  await until(() => players.every(({ isOver, text }) => isOver || text === "welcome"));
  expect(players.filter(({ text }) => text === "welcome")).toHaveLength(waiting);
});

test("a player that a backend has accepted is left to the relay, even while packets are measured or nothing is sent", async () => {
  const backend = await startTestBackend({
    onRaw: (socket) => {
      socket.write(question);
      socket.on("data", (chunk: Buffer) => void socket.write(chunk));
    },
  });
  onTestFinished(backend.stop);
  const edge = await startTestEdge();
  const port = await freePort();
  edge.apply({
    groups: [testGroup(testBackend(backend.port)), otherGroup(backend.port, port)],
    mitigation: { ...testShield().mitigation, packet_bytes_max: 5_000 },
  });
  await until(() => edge.playerPorts().includes(port));
  const [measured, silent] = [await edge.connect(), await edge.connect(port)];
  onTestFinished(() => [measured, silent].forEach(({ socket }) => socket.destroy()));
  measured.send(loginOf("Steve"));
  await until(() => [measured, silent].every(({ text }) => text.includes("a question")));
  // The one behind the other game is a player since its server spoke.
  expect(edge.admission.pending).toBe(1);
  await edge.drain();
  for (const player of [measured, silent]) player.send(Buffer.from("an answer"));
  await until(() => [measured, silent].every(({ text }) => text.includes("an answer")));
});
