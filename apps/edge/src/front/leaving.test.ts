import { connect } from "node:net";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { expect, onTestFinished, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, testGroup, TestPlayer } from "#src/testing/test-edge.ts";
import { loginOf } from "#src/testing/threaded-edge.ts";

const waiting = 60;

test("who waits to be accepted when a front leaves is let in, at every port of it", async () => {
  const backend = await startTestBackend({
    onRaw: (socket) => {
      socket.write("welcome");
      socket.resume().on("end", () => socket.end());
    },
  });
  onTestFinished(backend.stop);
  const edge = await startTestEdge({ pendingPerIpMax: 1_000, openPerIpMax: 1_000 });
  onTestFinished(() => edge.stop());
  const main = testGroup(testBackend(backend.port));
  const port = await freePort();
  const other = {
    ...testGroup(testBackend(backend.port, 20)),
    id: "0190a000-0000-7000-8000-000000000070",
    default: false,
    game: "other" as const,
    port,
  };
  edge.apply({ groups: [main, other] });
  await until(() => edge.playerPorts().includes(port));
  // None of them has been accepted when the front begins to leave.
  const players = Array.from({ length: waiting }, (_, n) => {
    const to = n % 2 === 0 ? edge.port : port;
    const player = new TestPlayer(connect({ host: "127.0.0.1", port: to, allowHalfOpen: true }));
    onTestFinished(() => void player.socket.destroy());
    player.send(loginOf(`Waiting${n}`));
    return player;
  });
  await edge.handOver(true);
  await until(() => players.every(({ isOver, text }) => isOver || text === "welcome"));
  expect(players.filter(({ text }) => text === "welcome")).toHaveLength(waiting);
});
