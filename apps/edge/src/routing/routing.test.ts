import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backendOrder } from "./backend-order.ts";
import { createDialPolicy } from "./dial-policy.ts";
import { FleetAddresses } from "./fleet.ts";
import { HostIndex, labelClaim } from "./host-index.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

describe("host index", () => {
  const host = "play.example.org";
  const claim = (proven: boolean, claimedAtMs: number) => [{ host, proven, claimedAtMs }];

  test("a proven claim beats an older unproven one, in either order of arrival", () => {
    for (const order of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const index = new HostIndex();
      for (const id of order) index.set(id, id === "a" ? claim(false, 1) : claim(true, 2));
      expect(index.find(host)).toBe("b");
    }
  });

  test("of equal claims the older wins, and the next follows when it goes", () => {
    const index = new HostIndex();
    index.set("late", claim(true, 2));
    index.set("early", claim(true, 1));
    expect(index.find(host)).toBe("early");
    index.remove("early");
    expect(index.find(host)).toBe("late");
    index.remove("late");
    expect(index.find(host)).toBeUndefined();
  });

  test("a label is its shield's, whoever claims it as a domain", () => {
    const index = new HostIndex();
    index.set("thief", claim(true, Number.MIN_SAFE_INTEGER));
    index.set("owner", [labelClaim(host)]);
    expect(index.find(host)).toBe("owner");
  });

  test("a changed shield keeps only its new hosts", () => {
    const index = new HostIndex();
    index.set("a", [labelClaim("one"), labelClaim("two")]);
    index.set("a", [labelClaim("two"), labelClaim("three")]);
    expect([index.find("one"), index.find("two"), index.find("three")]).toEqual([
      undefined,
      "a",
      "a",
    ]);
  });

  test("the outcome does not depend on the order of arrival", () => {
    const claims = fc.uniqueArray(
      fc.record({ id: fc.nat(9).map(String), proven: fc.boolean(), at: fc.nat(3) }),
      { selector: ({ id }) => id, minLength: 1 },
    );
    fc.assert(
      fc.property(claims, (all) => {
        const winner = (order: typeof all): string | undefined => {
          const index = new HostIndex();
          for (const { id, proven, at } of order) index.set(id, claim(proven, at));
          return index.find(host);
        };
        expect(winner(all)).toBe(winner(all.toReversed()));
      }),
    );
  });
});

describe("backend order", () => {
  const facts = { ip: ip("203.0.113.7"), turn: 0, random: 0, players: [] };

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
        const order = backendOrder(name, count, { ...facts, turn, random: chance });
        expect(order.toSorted((a, b) => a - b)).toEqual([...Array(count).keys()]);
      }),
    );
  });

  test("round robin goes on with each join, least connections to the emptiest", () => {
    const turns = [0, 1, 2, 3].map((turn) => backendOrder("round_robin", 3, { ...facts, turn })[0]);
    expect(turns).toEqual([0, 1, 2, 0]);
    expect(backendOrder("least_connections", 3, { ...facts, players: [5, 1, 2] })).toEqual([
      1, 2, 0,
    ]);
  });

  test("an address keeps its backend", () => {
    const first = (): number | undefined => backendOrder("ip_hash", 7, facts)[0];
    expect(first()).toBe(first());
  });
});

describe("dial policy", () => {
  const own = "192.0.3.1";
  const base = {
    privateAllowed: false,
    allowedRanges: [],
    ownAddresses: [own],
    fleet: new FleetAddresses(),
    ownPorts: new Set([25_565]),
  };
  const hidden = [
    "10.1.2.3",
    "127.0.0.1",
    "169.254.169.254",
    "192.168.0.1",
    "172.31.0.1",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "::1",
    "::ffff:127.0.0.1",
    "fe80::1",
    "fd00::1",
    "64:ff9b::7f00:1",
    own,
  ];

  test.each(hidden)("%s is not dialled for a customer", (address) => {
    expect(createDialPolicy(base).mayDial(ip(address), 25_566)).toBe(false);
  });

  test("public addresses are dialled", () => {
    for (const address of ["8.8.8.8", "172.32.0.1", "2a00:1450::1"]) {
      expect(createDialPolicy(base).mayDial(ip(address), 25_565)).toBe(true);
    }
  });

  test("a named private range is allowed, its neighbours are not", () => {
    const policy = createDialPolicy({ ...base, allowedRanges: ["10.1.0.0/16"] });
    expect(policy.mayDial(ip("10.1.2.3"), 1)).toBe(true);
    expect(policy.mayDial(ip("10.2.2.3"), 1)).toBe(false);
  });

  test("other edges are not dialled, however they are written, as long as they are edges", () => {
    const fleet = new FleetAddresses();
    const policy = createDialPolicy({ ...base, fleet });
    const others = ["8.8.8.8", "2a00:1450::1"];
    for (const address of others) expect(policy.mayDial(ip(address), 25_566)).toBe(true);
    fleet.replace(["::ffff:8.8.8.8", "2A00:1450:0:0::1", "not an address", ""]);
    for (const address of others) expect(policy.mayDial(ip(address), 25_566)).toBe(false);
    expect(policy.mayDial(ip("8.8.4.4"), 25_566)).toBe(true);
    fleet.replace([]);
    for (const address of others) expect(policy.mayDial(ip(address), 25_566)).toBe(true);
  });

  test("the edge never calls its own port, in development neither", () => {
    const policy = createDialPolicy({ ...base, privateAllowed: true });
    for (const address of ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", own]) {
      expect(policy.mayDial(ip(address), 25_565), address).toBe(false);
      expect(policy.mayDial(ip(address), 25_566), address).toBe(true);
    }
  });
});
