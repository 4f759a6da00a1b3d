import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { megabyte, readSlowly, sendAll } from "#src/testing/byte-stream.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";

interface Report {
  readonly port?: number;
  readonly rss: number;
  readonly bytes: number;
  readonly players: number;
}

const bytes = 200 * megabyte;
const login = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);

test("200 MB to slow peers, both ways at once: checksums equal, memory flat", async () => {
  const accepted = Promise.withResolvers<Socket>();
  const server = await startTestBackend({ onRaw: accepted.resolve });
  const edge = fork(new URL("../testing/edge-process.ts", import.meta.url), [String(server.port)]);
  const reports: Report[] = [];
  // The process sends nothing else.
  edge.on("message", (message) => void reports.push(message as Report));
  try {
    const port = await until(() => reports[0]?.port, { what: "the edge's port" });
    await until(() => reports.length > 1);
    const idle = reports.length;
    const player = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    player.write(login);
    const backend = await accepted.promise;
    const [up, upRead, down, downRead] = await Promise.all([
      sendAll(player, bytes),
      readSlowly(backend, login.length),
      sendAll(backend, bytes),
      readSlowly(player),
    ]);
    expect(upRead).toBe(up);
    expect(downRead).toBe(down);
    const last = await until(() => reports.at(-1)?.players === 0 && reports.at(-1));
    expect(last.bytes).toBe(2 * bytes + login.length);
    const before = reports[idle - 1]?.rss ?? 0;
    const peak = Math.max(...reports.slice(idle).map(({ rss }) => rss));
    // Garbage between two collections included; held back for the slow it would be 400 MB.
    expect(peak - before).toBeLessThan(160 * megabyte);
  } finally {
    const exited = once(edge, "exit");
    edge.disconnect();
    await exited;
    await server.stop();
  }
}, 120_000);
