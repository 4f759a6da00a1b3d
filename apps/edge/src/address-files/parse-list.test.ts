import { readFileSync } from "node:fs";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VpnLookup } from "#src/rules/address-lookups.ts";
import { combine } from "./combine.ts";
import { vpnLimits } from "./limits.ts";
import { parseList } from "./parse-list.ts";

function parse(...lines: string[]) {
  return parseList("test", Buffer.from(lines.join("\n"), "latin1"));
}

function problemOf(...lines: string[]): string | undefined {
  return parse(...lines).problem;
}

/** Which of these addresses a list of these lines holds. */
function held(lines: readonly string[], ...addresses: string[]): string[] {
  const { image } = parse(...lines);
  const lookup = new VpnLookup();
  if (image !== undefined) lookup.use(combine([image]).table);
  return addresses.filter((text) => lookup.find(parseIp(text) ?? new Uint8Array(4)) !== undefined);
}

describe("a list", () => {
  test("holds addresses, ranges and AS numbers, whatever is beside them", () => {
    const lines = [
      "\xef\xbb\xbf192.0.2.1",
      "",
      "# a comment; and more",
      "  198.51.100.0/24  ; SBL1",
      "2001:db8::/32# tight\r",
      "AS64496 Example Hosting, Inc.",
      "as64497\r",
      "; AS64498",
      `203.0.113.9 # ${"long ".repeat(1_000)}`,
    ];
    const { image, problem } = parse(...lines);
    expect(problem).toBeUndefined();
    expect([image?.entries, ...(image?.asns ?? [])]).toEqual([6, 64_496, 64_497]);
    const inside = ["192.0.2.1", "198.51.100.200", "2001:db8:1::1", "203.0.113.9"];
    expect(held(lines, ...inside, "192.0.2.2", "198.51.101.0", "2001:db9::", "::1")).toEqual(
      inside,
    );
  });

  test.each([
    ["10.0.0.0.1", "is no address, CIDR range or AS number"],
    ["10.0.0.0/33", "is no address, CIDR range or AS number"],
    ["example.org", "is no address, CIDR range or AS number"],
    ["10.0.0.1 - 10.0.0.9", "is no address, CIDR range or AS number"],
    ["AS0", "is no address, CIDR range or AS number"],
    ["AS4294967296", "is no AS number"],
    ["0.0.0.0/0", "is wider than /8"],
    ["::/0", "is wider than /16"],
    ["2000::/3", "is wider than /16"],
  ])("of a line %j it says where it is and why it cannot be read", (line, why) => {
    const lines = ["192.0.2.1", "", line, "also wrong", "192.0.2.2"];
    expect(problemOf(...lines)).toBe(`line 3: ${JSON.stringify(line)} ${why}`);
    expect(held(lines, "192.0.2.1", "192.0.2.2", "10.0.0.1", "2001:db8::1")).toEqual([
      "192.0.2.1",
      "192.0.2.2",
    ]);
  });

  test("that is none is not taken for one because of a line or two", () => {
    const page = ["<!doctype html>", "<p>Not found</p>", "192.0.2.1"];
    expect(parse(...page)).toEqual({ problem: expect.stringMatching(/^line 1: /) });
  });

  test("has a bound to its lines", () => {
    const bytes = Buffer.alloc(vpnLimits.linesMax + 1, "\n");
    expect(parseList("long", bytes)).toEqual({ problem: "has more than 1000000 lines" });
    expect(parseList("empty", Buffer.alloc(0)).image?.entries).toBe(0);
  });

  test("any bytes are read or refused, and give no more entries than lines", () => {
    const word = fc.constantFrom("AS", "1", "::", "/", ".", "192.0.2.", "#", " ", "\r", "f", "\0");
    const line = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join("")),
      fc.ipV4(),
      fc.ipV6(),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const { image, problem } = parse(...lines);
        if (image === undefined) return problem !== undefined;
        const newlines = lines.join("\n").split("\n").length;
        return image.entries <= newlines && image.ranges4.count + image.ranges6.count <= newlines;
      }),
    );
  });

  test("the sample file holds only networks that are not in use", () => {
    const bytes = readFileSync(new URL("../../data/vpn-sample.txt", import.meta.url));
    const { image, problem } = parseList("sample", bytes);
    expect(problem).toBeUndefined();
    expect(image?.entries).toBeGreaterThan(3);
  });
});
