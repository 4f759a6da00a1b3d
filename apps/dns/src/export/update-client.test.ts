import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createUpdateClient, type UpdateClient } from "#src/export/update-client.ts";
import { bindKey, bindMissing, startBind } from "#src/test-bind.ts";
import { testZone } from "#src/test-zone.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const change = { name: `abcdefghijkl.${testZone}`, ttlSeconds: 30, v4: ["203.0.113.1"], v6: [] };

/** A server that answers each question as the test says. */
async function startServer(answer: (socket: Socket, question: Buffer) => void): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (question) => answer(socket, question));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  return address.port;
}

function clientOf(port: number, updateMs = 10_000, nowMs = Date.now): UpdateClient {
  const target = { server: { host: "127.0.0.1", port }, key: bindKey };
  const client = createUpdateClient(target, updateMs, nowMs);
  ends.push(() => client.close());
  return client;
}

describe("an update at a server that misbehaves", () => {
  test("ends at the deadline when there is no answer, also when it comes byte by byte", async () => {
    const silent = clientOf(await startServer(() => undefined), 50);
    expect(await silent.update(testZone, [change])).toEqual({
      kind: "unreachable",
      reason: "there was no answer in time",
    });
    const slow = await startServer((socket) => {
      socket.write(Buffer.from([0x01, 0x00]));
      const drip = setInterval(() => socket.write("x"), 5);
      socket.on("close", () => clearInterval(drip));
    });
    expect(await clientOf(slow, 100).update(testZone, [change])).toMatchObject({
      reason: "there was no answer in time",
    });
  });

  test("ends as soon as an impossible length is announced", async () => {
    const port = await startServer((socket) => socket.write(Buffer.from([0xff, 0xff])));
    expect(await clientOf(port).update(testZone, [change])).toMatchObject({
      reason: "the answer is too long",
    });
  });

  test("reports a closed connection and a missing server", async () => {
    const port = await startServer((socket) => socket.destroy());
    expect(await clientOf(port).update(testZone, [change])).toMatchObject({
      kind: "unreachable",
    });
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const address = gone.address();
    gone.close();
    await once(gone, "close");
    const free = address !== null && typeof address === "object" ? address.port : 0;
    const outcome = await clientOf(free).update(testZone, [change]);
    expect(JSON.stringify(outcome)).toContain("ECONNREFUSED");
  });

  test("does not accept an answer without the key", async () => {
    const port = await startServer((socket, question) => {
      const yes = Buffer.from("000c0000a8000000000000000000", "hex");
      question.copy(yes, 2, 2, 4);
      socket.write(yes);
    });
    const client = clientOf(port);
    const untrusted = { kind: "untrusted", reason: "is not signed" };
    expect(await client.update(testZone, [change])).toEqual(untrusted);
    // The next update uses another connection.
    expect(await client.update(testZone, [change])).toEqual(untrusted);
  });

  test("never is 'done', whatever bytes come", async () => {
    let bytes: readonly Uint8Array[] = [];
    const port = await startServer((socket) => {
      for (const chunk of bytes) socket.write(chunk);
      socket.end();
    });
    const client = clientOf(port);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 5 }),
        async (chunks) => {
          bytes = chunks;
          expect((await client.update(testZone, [change])).kind).not.toBe("done");
          client.close();
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("an update at BIND", () => {
  test("reports by how much the clocks differ", async ({ skip }) => {
    skip(bindMissing !== undefined, bindMissing);
    const bind = await startBind(testZone);
    ends.push(() => bind.remove());
    const ahead = clientOf(bind.port, 10_000, () => Date.now() + 3_600_000);
    const outcome = await ahead.update(testZone, [change]);
    expect(outcome).toMatchObject({ kind: "refused", refusal: "BADTIME" });
    const seconds = outcome.kind === "refused" ? outcome.clockAheadSeconds : 0;
    expect(Math.abs((seconds ?? 0) + 3_600)).toBeLessThan(60);
    expect(await clientOf(bind.port).update(testZone, [change])).toEqual({ kind: "done" });
  });
});
