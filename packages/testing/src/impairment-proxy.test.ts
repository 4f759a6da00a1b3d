import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startImpairmentProxy, type ImpairmentProxy } from "./impairment-proxy.ts";
import { until } from "./until.ts";

let echo: Server;
let proxy: ImpairmentProxy;
let accepted: Socket[];

beforeEach(async () => {
  accepted = [];
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  const { port } = echo.address() as AddressInfo;
  proxy = await startImpairmentProxy({ host: "127.0.0.1", port });
});

afterEach(async () => {
  await proxy.close();
  for (const socket of accepted) socket.destroy();
  echo.close();
});

async function dial(): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, allowHalfOpen: true });
  await once(socket, "connect");
  return socket;
}

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

describe("the impairment proxy", () => {
  test("passes everything in order, and the end of each side separately", async () => {
    const sent = randomBytes(3_000_000);
    const socket = await dial();
    const received = buffer(socket);
    socket.end(sent);
    expect(digest(await received)).toBe(digest(sent));
    await until(() => proxy.connectionCount === 0);
  });

  test("applies the delay in both directions", async () => {
    proxy.impair({ delayMs: 60 });
    const socket = await dial();
    const startedAt = performance.now();
    socket.write("ping");
    await once(socket, "data");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(119);
    socket.destroy();
  });

  test("throttles, without losing a byte", async () => {
    const sent = randomBytes(100_000);
    proxy.impair({ bytesPerSecond: 500_000 });
    const startedAt = performance.now();
    const socket = await dial();
    const received = buffer(socket);
    socket.end(sent);
    expect(digest(await received)).toBe(digest(sent));
    // Both directions overlap, and the last piece has no wait.
    expect(performance.now() - startedAt).toBeGreaterThan(150);
  });

  test("holds everything back in a partition and delivers it once healed", async () => {
    const socket = await dial();
    socket.write("before");
    expect(String((await once(socket, "data"))[0])).toBe("before");
    proxy.impair({ isBlackHole: true });
    let heard = "";
    socket.on("data", (chunk) => (heard += String(chunk)));
    socket.write("held back");
    const other = await dial();
    other.write("me too");
    await expect(until(() => heard !== "", { capMs: 100 })).rejects.toThrow("did not come");
    expect(socket.destroyed).toBe(false);
    proxy.impair({ isBlackHole: false });
    await until(() => heard === "held back");
    expect(String((await once(other, "data"))[0])).toBe("me too");
    socket.destroy();
    other.destroy();
  });

  test("breaks both sides on a reset", async () => {
    const socket = await dial();
    socket.write("x");
    await once(socket, "data");
    const errors = [socket, accepted[0]].map((side) => side && once(side, "error"));
    proxy.resetAll();
    for (const error of errors) {
      expect(await error).toEqual([expect.objectContaining({ code: "ECONNRESET" })]);
    }
    await until(() => proxy.connectionCount === 0);
  });

  test("breaks the client's side when the target refuses", async () => {
    echo.close();
    const socket = connect({ host: proxy.host, port: proxy.port });
    const [error] = await once(socket, "error");
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  test("passes on that one side broke", async () => {
    const socket = await dial();
    socket.write("x");
    await once(socket, "data");
    accepted[0]?.resetAndDestroy();
    const [error] = await once(socket, "error");
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });
});
