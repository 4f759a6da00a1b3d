import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { freePort } from "@palisade/testing/free-port";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { expect, test } from "vitest";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import type { Backend } from "#src/shields/backend-groups.ts";
import { compileShield } from "#src/shields/compiled-shield.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { FdBudget } from "@palisade/shared-tables/shared-counters";
import { Dialler } from "./dialler.ts";
import {
  ConnectLimit,
  PlayerDialler,
  unknownDialsMax,
  untriedPerSecondMax,
} from "./player-dial.ts";
import { singleThreadQuota } from "@palisade/shared-tables/shared-tables";

test("players on their way to a server that answers nothing are few, and one where it is down", () => {
  const config = sampleShield({ groups: [sampleGroup(sampleBackend(1, 1))] });
  const result = compileShield(config, new ShieldCounters(config.shield_id), undefined);
  if (!result.ok) throw new Error(result.reason);
  const { shield } = result;
  const [backend] = shield.group.backends;
  if (backend === undefined) throw new Error("no backend");
  const dialler = new PlayerDialler({
    resolver: { addresses: () => new Promise(() => undefined) },
    policy: { mayDial: () => true },
    wheel: new TimerWheel(() => 0),
    fds: new FdBudget(20_000),
    health: { failed: () => undefined },
    monotonicMs: () => 60_000,
    connects: { allows: () => true },
    prover: { stateOf: () => "failed", ask: () => Promise.resolve(false) },
  });
  /** @returns how many are told at once that there is no server */
  const join = (): number => {
    let refused = 0;
    const dials = Array.from({ length: 3 * unknownDialsMax }, () =>
      dialler.dial(shield, Uint8Array.of(203, 0, 113, 7), () => refused++),
    );
    for (const dial of dials) dial.abort();
    return refused;
  };
  expect(join()).toBe(2 * unknownDialsMax);
  expect(backend.load.dialling).toBe(0);
  for (const ms of [0, 1_000]) backend.health.failed("timeout", { wallMs: ms, monotonicMs: ms });
  expect(join()).toBe(3 * unknownDialsMax - 1);
  for (const ms of [0, 1_000]) backend.health.succeeded({ wallMs: ms, monotonicMs: ms });
  expect(join()).toBe(0);
});

/** The proven backend as a new configuration makes it. */
function provenBackend(port = 1, host = "127.0.0.1"): Backend {
  const config = sampleShield({ groups: [sampleGroup({ ...sampleBackend(port, 1), host })] });
  const result = compileShield(config, new ShieldCounters(config.shield_id), undefined);
  const backend = result.ok ? result.shield.group.backends[0] : undefined;
  if (backend === undefined) throw new Error("no backend");
  return backend;
}

test("new settings do not start the connects to a proven address that was not tried anew", () => {
  let nowMs = 0;
  const perSecondMax = 2;
  const limit = new ConnectLimit(
    singleThreadQuota(() => nowMs),
    perSecondMax,
  );
  const taken = (backends: Backend[]) =>
    backends.filter((backend) => limit.allows("dial", backend, "minecraft")).length;
  const afterEachChange = Array.from({ length: 2 * untriedPerSecondMax }, () => provenBackend());
  expect(taken(afterEachChange)).toBe(untriedPerSecondMax + perSecondMax);
  nowMs = 10_000;
  const backend = provenBackend();
  const many = Array.from({ length: 2 * untriedPerSecondMax }, () => backend);
  backend.health.succeeded({ wallMs: nowMs, monotonicMs: nowMs });
  expect(taken(many)).toBe(many.length);
});

test("strangers' addresses behind the name of a server that is up are counted one by one", async () => {
  let nowMs = 0;
  const perSecondMax = 10;
  const limit = new ConnectLimit(
    singleThreadQuota(() => nowMs),
    perSecondMax,
  );
  const own = "127.0.0.9";
  const names = ["127.0.0.2", "127.0.0.3", "127.0.0.4", own];
  const addresses = names.map((text) => ({ text, ip: parseIp(text) ?? new Uint8Array() }));
  const tried: string[] = [];
  const dialler = new Dialler({
    resolver: { addresses: () => addresses },
    policy: { mayDial: () => true },
    wheel: new TimerWheel(() => 0),
    fds: new FdBudget(20_000),
    health: { failed: () => undefined },
    mayAsk(backend, address) {
      const may = limit.allowsAddress("dial", backend, address);
      if (may) tried.push(address);
      return may;
    },
  });
  // Nothing listens there, so each address is tried in turn.
  const backend = provenBackend(await freePort(), "play.example.org");
  backend.proof.answer(own);
  backend.health.succeeded({ wallMs: 0, monotonicMs: 0 });
  const ask = async (): Promise<void> => {
    expect(limit.allows("dial", backend, "minecraft")).toBe(true);
    const { kind } = await dialler.dialTelling(backend, new AbortController().signal);
    expect(kind).toBe("refused");
  };
  for (let asked = 0; asked < 20; asked++) await ask();
  expect(tried.filter((address) => address !== own)).toHaveLength(perSecondMax);
  expect(tried.filter((address) => address === own)).toHaveLength(20);
  nowMs = 10_000;
  await ask();
  expect(tried.filter((address) => address !== own)).toHaveLength(perSecondMax + 3);
});

test("a name whose addresses never answered is counted by address, and not a second time for itself", () => {
  const perSecondMax = 4;
  const limit = new ConnectLimit(
    singleThreadQuota(() => 0),
    perSecondMax,
  );
  const backend = provenBackend(1, "play.example.org");
  const asked = Array.from({ length: 3 * perSecondMax }, (_, n) => {
    if (!limit.allows("check", backend, "minecraft")) return false;
    return limit.allowsAddress("check", backend, `127.0.1.${n}`);
  });
  expect(asked.filter(Boolean)).toHaveLength(perSecondMax);
});
