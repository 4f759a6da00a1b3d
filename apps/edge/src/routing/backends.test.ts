import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BackendHealth,
  justFailedMs,
  sameFailureMs,
  backendOrder,
  type Choice,
  lastChance,
  groupChain,
  type LocatedGroup,
} from "./backends.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

function servers(...players: number[]): Choice[] {
  return players.map((count, n) => ({
    id: `0190a000-0000-7000-8000-${String(100 + n).padStart(12, "0")}`,
    load: { players: count, dialling: 0 },
  }));
}

const facts = { ip: ip("203.0.113.7"), turn: 0, random: 0 };
const addresses = Array.from({ length: 4_000 }, (_, n) => Uint8Array.of(203, 0, n >> 8, n & 0xff));
const chosen = (all: readonly Choice[], address: Uint8Array): string | undefined =>
  backendOrder("ip_hash", all, { ...facts, ip: address })[0]?.id;

describe("backend order", () => {
  test("every method tries every backend once", () => {
    const method = fc.constantFrom(
      "round_robin" as const,
      "least_connections" as const,
      "ip_hash" as const,
      "random" as const,
    );
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(method, fc.nat(20), fc.nat(), random, (name, count, turn, chance) => {
        const all = servers(...Array<number>(count).fill(0));
        const order = backendOrder(name, all, { ...facts, turn, random: chance });
        expect(new Set(order)).toEqual(new Set(all));
        expect(order).toHaveLength(count);
      }),
    );
  });

  test("round robin goes on with each join", () => {
    const all = servers(0, 0, 0);
    const firsts = [0, 1, 2, 3].map(
      (turn) => backendOrder("round_robin", all, { ...facts, turn })[0],
    );
    expect(firsts).toEqual([all[0], all[1], all[2], all[0]]);
  });

  test("least connections goes to the emptiest, those on their way counted", () => {
    const [a, b, c] = servers(5, 1, 2);
    if (a === undefined || b === undefined || c === undefined) throw new Error("three");
    expect(backendOrder("least_connections", [a, b, c], facts)).toEqual([b, c, a]);
    const crowded = { ...b, load: { players: 1, dialling: 3 } };
    expect(backendOrder("least_connections", [a, crowded, c], facts)).toEqual([c, crowded, a]);
  });

  test("random reaches all of them alike", () => {
    const all = servers(0, 0, 0, 0);
    const firsts = Array.from(
      { length: 100 },
      (_, n) => backendOrder("random", all, { ...facts, random: n / 100 })[0],
    );
    for (const server of all) expect(firsts.filter((one) => one === server)).toHaveLength(25);
  });

  test("IP hash spreads players evenly", () => {
    const all = servers(0, 0, 0, 0, 0);
    for (const { id } of all) {
      const share = addresses.filter((address) => chosen(all, address) === id).length;
      expect(share).toBeGreaterThan(700);
      expect(share).toBeLessThan(900);
    }
  });

  test("IP hash: whatever fails or comes back, only its own players move, wherever it stands", () => {
    const all = servers(0, 0, 0, 0, 0);
    for (const failed of all) {
      const rest = all.filter((one) => one !== failed);
      const others = addresses
        .slice(0, 500)
        .filter((address) => chosen(all, address) !== failed.id);
      const choices = (servers: readonly Choice[]) => others.map((one) => chosen(servers, one));
      expect(choices(rest.toReversed())).toEqual(choices(all));
    }
  });

  test("IP hash: an IPv6 line is one player", () => {
    const all = servers(0, 0, 0, 0, 0, 0, 0);
    expect(chosen(all, ip("2001:db8:1:2::1"))).toBe(chosen(all, ip("2001:db8:1:2:ffff::9")));
  });
});

describe("backend health", () => {
  const at = (ms: number) => ({ wallMs: 1_000_000 + ms, monotonicMs: ms });

  test("two failures down, two successes up; one of either changes nothing", () => {
    const health = new BackendHealth();
    expect(health.state).toBe("unknown");
    expect(health.succeeded(at(0))).toBe(true);
    expect(health.failed("refused", at(1_000))).toBe(true);
    expect(health.state).toBe("up");
    expect(health.lastError).toBe("refused");
    health.succeeded(at(2_000));
    health.failed("refused", at(3_000));
    expect(health.state).toBe("up");
    expect(health.failed("timeout", at(4_000))).toBe(true);
    expect([health.state, health.changedAtMs]).toEqual(["down", 1_004_000]);
    health.succeeded(at(5_000));
    expect(health.state).toBe("down");
    expect(health.isSettled).toBe(false);
    health.failed("timeout", at(6_000));
    health.succeeded(at(7_000));
    expect(health.state).toBe("down");
    expect(health.succeeded(at(8_000))).toBe(true);
    expect([health.state, health.lastError]).toEqual(["up", null]);
  });

  test("a backend that answers every other time keeps its state, up or down", () => {
    for (const downFirst of [true, false]) {
      const health = new BackendHealth();
      for (const ms of [0, 1_000]) {
        if (downFirst) health.failed("refused", at(ms));
        else health.succeeded(at(ms));
      }
      const { state } = health;
      for (let n = 2; n < 40; n += 2) {
        health.succeeded(at(n * 1_000));
        health.failed("refused", at((n + 1) * 1_000));
        expect(health.state).toBe(state);
      }
    }
  });

  test("a burst of failures at one moment is one", () => {
    const health = new BackendHealth();
    health.succeeded(at(0));
    for (let n = 0; n < 50; n++) health.failed("refused", at(1_000));
    expect(health.state).toBe("up");
    health.failed("refused", at(1_000 + sameFailureMs));
    expect(health.state).toBe("down");
  });

  test("failures that follow close on each other go on counting", () => {
    const health = new BackendHealth();
    health.succeeded(at(0));
    for (let ms = 0; ms <= sameFailureMs; ms += sameFailureMs / 5) health.failed("refused", at(ms));
    expect(health.state).toBe("down");
  });

  test("while all are down the one that failed longest ago is tried, unless that was just now", () => {
    const [first, second] = [new BackendHealth(), new BackendHealth()];
    for (const health of [first, second]) health.failed("refused", at(0));
    first.failed("refused", at(2_000));
    second.failed("refused", at(2_500));
    const load = { players: 0, dialling: 0 };
    const groups = [
      { backends: [{ health: second, load: { ...load } }] },
      { backends: [{ health: first, load }] },
    ];
    expect(lastChance(groups, 2_600)).toBeUndefined();
    expect(lastChance(groups, 2_000 + justFailedMs)?.health).toBe(first);
    first.failed("refused", at(4_000));
    expect(lastChance(groups, 4_100)?.health).toBe(second);
    load.dialling = 1;
    expect(lastChance(groups, 9_000)?.health).toBe(second);
    for (const { backends } of groups) for (const each of backends) each.load.dialling = 1;
    expect(lastChance(groups, 9_000)).toBeUndefined();
  });

  test("no status is no reason to keep players away, until one of them was hung up on", () => {
    const health = new BackendHealth();
    for (let n = 0; n < 3; n++) health.failed("not_minecraft", at(n * 1_000));
    expect([health.state, health.isDown]).toEqual(["down", false]);
    health.hungUp(at(4_000));
    expect(health.isDown).toBe(true);
    health.succeeded(at(5_000));
    health.failed("not_minecraft", at(6_000));
    expect(health.isDown).toBe(false);
    health.failed("refused", at(7_000));
    expect(health.isDown).toBe(true);
  });
});

const group = (id: string, change: Partial<LocatedGroup> = {}): LocatedGroup => ({
  id,
  isDefault: false,
  game: "minecraft",
  location: null,
  ...change,
});
const main = group("main", { isDefault: true });
const frankfurt = group("frankfurt", { location: "frankfurt" });
const london = group("london", { location: "london" });
const everywhere = group("everywhere");
const factorio = group("factorio", { game: "other" });
const all = [factorio, frankfurt, everywhere, main, london];

function chain(location: string | undefined, wanted: string | null = null, groups = all) {
  return groupChain(groups, location, wanted).map(({ id }) => id);
}

describe("groups of a player", () => {
  test.each([
    [
      "the first group of the edge's location, then the default",
      "london",
      null,
      ["london", "main"],
    ],
    ["the default alone where no group names the location", "warsaw", null, ["main"]],
    ["the default alone on an edge that does not know where it is", undefined, null, ["main"]],
    ["the domain's group before the location's", "london", "everywhere", ["everywhere", "main"]],
    ["not the domain's group where it serves elsewhere", "london", "frankfurt", ["london", "main"]],
    ["nor on an edge that does not know", undefined, "frankfurt", ["main"]],
    ["the default once where the domain names it", "london", "main", ["main"]],
    ["never a group that is not Minecraft's", "warsaw", "factorio", ["main"]],
    [
      "the edge's own choice where the domain's group is gone",
      "london",
      "gone",
      ["london", "main"],
    ],
  ])("%s", (_, location, wanted, expected) => {
    expect(chain(location, wanted)).toEqual(expected);
  });

  test("the default group serves edges that no other serves, wherever it is said to be", () => {
    const groups = [{ ...main, location: "london" }, frankfurt];
    expect(chain("warsaw", null, groups)).toEqual(["main"]);
    expect(chain("london", null, groups)).toEqual(["main"]);
    expect(chain("frankfurt", null, groups)).toEqual(["frankfurt", "main"]);
    expect(chain("frankfurt", "main", groups)).toEqual(["frankfurt", "main"]);
  });

  test("without a group for Minecraft there is none", () => {
    expect(chain("london", null, [factorio])).toEqual([]);
  });
});
