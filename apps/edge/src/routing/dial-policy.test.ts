import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { describe, expect, test } from "vitest";
import { readSettings } from "@palisade/settings/settings";
import { anyPort } from "#src/testing/any-port.ts";
import { createDialPolicy, FleetAddresses } from "./dial-policy.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

describe("dial policy", () => {
  const own = "192.0.3.1";
  const base = {
    privateAllowed: false,
    allowedRanges: [],
    backendPorts: anyPort,
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
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::ffff:169.254.169.254",
    "fd00:ec2::254",
    "2002:7f00:1::",
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

  test("no port of a well-known service is dialled, wherever it is, unless the installation allows it", () => {
    const { PALISADE_BACKEND_PORTS: allowed, PALISADE_BACKEND_PORTS_REFUSED: refused } =
      readSettings({}, ["PALISADE_BACKEND_PORTS", "PALISADE_BACKEND_PORTS_REFUSED"]);
    const usual = { ...base, privateAllowed: true, backendPorts: { allowed, refused } };
    const policy = createDialPolicy(usual);
    const refusedPorts = new Set(
      [{ first: 1, last: 1_023 }, ...refused].flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, n) => first + n),
      ),
    );
    for (const known of [22, 25, 80, 443, 587, 1_433, 3_306, 3_389, 5_432, 6_379, 6_667, 27_017]) {
      expect(refusedPorts).toContain(known);
    }
    for (const game of [1_024, 2_302, 7_777, 19_132, 25_566, 27_015, 30_120, 65_535]) {
      expect(refusedPorts).not.toContain(game);
    }
    for (const address of ["8.8.4.4", "127.0.0.1"].map(ip)) {
      const dialled = Array.from({ length: 65_536 }, (_, port) => port).filter((port) =>
        policy.mayDial(address, port),
      );
      const own = address[0] === 127 ? 1 : 0;
      expect(dialled).toHaveLength(65_535 - refusedPorts.size - own);
      expect(dialled.some((port) => refusedPorts.has(port))).toBe(false);
    }
    const open = { allowed: [{ first: 25, last: 25 }, ...allowed], refused: [] };
    expect(createDialPolicy({ ...usual, backendPorts: open }).mayDial(ip("8.8.4.4"), 25)).toBe(
      true,
    );
  });
});
