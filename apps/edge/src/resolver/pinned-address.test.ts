import type { Socket } from "node:net";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HealthRegistry } from "#src/health/health-registry.ts";
import { anyPort } from "#src/testing/any-port.ts";
import { createDialPolicy, FleetAddresses } from "#src/routing/dial-policy.ts";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { BackendResolver } from "./backend-resolver.ts";
import { Dialler } from "#src/dialling/dialler.ts";
import { FdBudget } from "@palisade/shared-tables/shared-counters";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Stands for a public address, the only one of loopback that may be dialled. */
const open = "127.0.0.2";

const clock = { nowMs: 0 };
const nowMs = (): number => clock.nowMs;

function dialler(resolver: BackendResolver): Dialler {
  const policy = createDialPolicy({
    privateAllowed: false,
    allowedRanges: [open],
    backendPorts: anyPort,
    ownAddresses: [],
    fleet: new FleetAddresses(),
    ownPorts: new Set(),
  });
  return new Dialler({
    resolver,
    policy,
    wheel: new TimerWheel(nowMs),
    fds: new FdBudget(20_000),
    health: new HealthRegistry({ nowMs, monotonicMs: nowMs }),
  });
}

/** A service on every address of this machine, which keeps where it was reached. */
async function startService() {
  const reached: (string | undefined)[] = [];
  const server = await startTestBackend({
    host: "0.0.0.0",
    onRaw: (socket: Socket) => void reached.push(socket.localAddress),
  });
  stops.push(server.stop);
  return { port: server.port, reached };
}

beforeEach(() => {
  clock.nowMs = 0;
});

describe("addresses of a backend's name", () => {
  test("the address that was checked is the one that is dialled, even if the name resolves differently by then", async () => {
    const service = await startService();
    let asked = 0;
    // As a rebinding name server does: something harmless first, then what it is after.
    const resolver = new BackendResolver(nowMs, async () => [++asked === 1 ? open : "127.0.0.1"]);
    const host = "rebind.example.com";
    resolver.watch("shield", [host]);
    const dial = async (): Promise<string> => {
      const backend = { host, port: service.port };
      const result = await dialler(resolver).dialTelling(backend, new AbortController().signal);
      if (result.kind === "connected") result.socket.destroy();
      return result.kind;
    };
    expect(await dial()).toBe("connected");
    expect(await dial()).toBe("connected");
    expect(asked).toBe(1);
    clock.nowMs = 61_000;
    resolver.refresh();
    await until(async () => (await resolver.addresses(host))[0]?.text === "127.0.0.1");
    expect(await dial()).toBe("forbidden");
    expect(asked).toBe(2);
    await until(() => service.reached.length === 2);
    expect(service.reached).toEqual([open, open]);
  });

  test("only those of several addresses that may be dialled are dialled", async () => {
    const service = await startService();
    const resolver = new BackendResolver(nowMs, async () => ["10.0.0.1", "127.0.0.1", open]);
    resolver.watch("shield", ["mixed.example.com"]);
    const result = await dialler(resolver).dialTelling(
      { host: "mixed.example.com", port: service.port },
      new AbortController().signal,
    );
    expect(result.kind).toBe("connected");
    if (result.kind === "connected") result.socket.destroy();
    await until(() => service.reached.length === 1);
    expect(service.reached).toEqual([open]);
  });

  test.each([
    "127.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0.0.0.0",
    "::",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "localhost",
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "fd00:ec2::254",
    "10.0.0.1",
    "192.168.1.1",
    "100.100.100.200",
  ])("%s is not dialled in any form that the system accepts", async (host) => {
    const service = await startService();
    const resolver = new BackendResolver(nowMs);
    resolver.watch("shield", [host]);
    const result = await dialler(resolver).dialTelling(
      { host, port: service.port },
      new AbortController().signal,
    );
    expect(["forbidden", "unresolved"]).toContain(result.kind);
    expect(service.reached).toEqual([]);
  });
});
