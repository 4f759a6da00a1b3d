import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PortSetting } from "./config.ts";
import { choosePort } from "./ports.ts";

let server: Server;
let busy: number;
let said: string[];
const progress = { say: (line: string) => said.push(line) };

const java: PortSetting = {
  name: "PALISADE_JAVA_PORT",
  host: "127.0.0.1",
  port: 0,
  protocols: ["tcp"],
  mayMove: false,
};

beforeEach(async () => {
  said = [];
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  busy = (server.address() as AddressInfo).port;
});

afterEach(() => server.close());

describe("a port", () => {
  test("that is busy is refused, naming the port and its setting", async () => {
    await expect(choosePort({ ...java, port: busy }, progress)).rejects.toThrow(
      `TCP port ${busy} on 127.0.0.1 is already used by another program. Set PALISADE_JAVA_PORT`,
    );
  });

  test("that is busy on one address is busy for all addresses", async () => {
    const all = { ...java, port: busy, host: "0.0.0.0" };
    await expect(choosePort(all, progress)).rejects.toThrow("already used");
  });

  test("that is free is used, and 0 stays any free one", async () => {
    server.close();
    await once(server, "close");
    expect(await choosePort({ ...java, port: busy }, progress)).toBe(busy);
    expect(await choosePort(java, progress)).toBe(0);
  });

  test("that the operator did not choose is replaced when it is busy, with a message", async () => {
    expect(await choosePort({ ...java, port: busy, mayMove: true }, progress)).toBe(0);
    expect(said).toEqual([`port ${busy} (PALISADE_JAVA_PORT) is busy, using a free one instead`]);
  });

  test("is checked for UDP too", async () => {
    const udp: Socket = createSocket("udp4").bind(0, "127.0.0.1");
    await once(udp, "listening");
    const { port } = udp.address();
    const dns: PortSetting = {
      ...java,
      name: "PALISADE_DNS_PORT",
      port,
      protocols: ["udp", "tcp"],
    };
    await expect(choosePort(dns, progress)).rejects.toThrow(`UDP port ${port}`);
    udp.close();
  });

  test("on an address this machine does not have is explained", async () => {
    const elsewhere = { ...java, port: 25_565, host: "192.0.2.1" };
    await expect(choosePort(elsewhere, progress)).rejects.toThrow(
      "cannot be opened (EADDRNOTAVAIL). Check PALISADE_JAVA_PORT and PALISADE_JAVA_HOST",
    );
  });
});
