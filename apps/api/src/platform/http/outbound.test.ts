import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOutbound } from "./outbound.ts";

let server: Server;
let port: number;
let calls = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    calls += 1;
    if (request.url === "/away") response.writeHead(302, { location: "/" }).end();
    else if (request.url !== "/silent") response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on TCP: the address is one.
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("addresses inside", () => {
  test.each([
    ["http://127.0.0.1:PORT/", "not public"],
    ["http://2130706433:PORT/", "not public"],
    ["http://0x7f.1:PORT/", "not public"],
    ["http://[::1]:PORT/", "not public"],
    ["http://[::ffff:127.0.0.1]:PORT/", "not public"],
    ["http://[64:ff9b::7f00:1]:PORT/", "not public"],
    ["http://localhost:PORT/", "not public"],
    ["http://169.254.169.254/latest/meta-data/", "not public"],
    ["http://10.0.0.1/", "not public"],
    ["http://user:secret@127.0.0.1:PORT/", "Only plain"],
    ["ftp://127.0.0.1:PORT/", "Only plain"],
    ["file:///etc/passwd", "Only plain"],
  ])("%s is not called: %s", async (url, reason) => {
    const outbound = createOutbound({ timeoutMs: 5_000 });
    const before = calls;
    const call = outbound.postJson(url.replace("PORT", String(port)), {});
    await expect(call).rejects.toThrow(reason);
    expect(calls).toBe(before);
    await outbound.close();
  });
});

test("the installation's own host and the addresses of this machine are not called", async () => {
  const machine = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => `http://${address}:${port}/`);
  const outbound = createOutbound({
    timeoutMs: 5_000,
    ownOrigins: () => ["https://console.example.com", "https://[2a01:4f8::1]"],
  });
  const before = calls;
  for (const url of [
    "https://console.example.com/hook",
    "http://CONSOLE.example.com.:8080/",
    "https://[2a01:4f8:0::1]:8443/",
    ...machine,
  ]) {
    await expect(outbound.postJson(url, {})).rejects.toMatchObject({ failure: "refused_address" });
  }
  expect(calls).toBe(before);
  await outbound.close();
});

test("a redirect is an answer, not a way", async () => {
  const outbound = createOutbound({ timeoutMs: 5_000, allowLoopback: true });
  const before = calls;
  expect(await outbound.postJson(`http://127.0.0.1:${port}/away`, {})).toBe(302);
  expect(calls).toBe(before + 1);
  await outbound.close();
});

test("a receiver that does not answer is given up", async () => {
  const outbound = createOutbound({ timeoutMs: 200, allowLoopback: true });
  await expect(outbound.postJson(`http://127.0.0.1:${port}/silent`, {})).rejects.toThrow(
    /time|abort/i,
  );
  await outbound.close();
});
