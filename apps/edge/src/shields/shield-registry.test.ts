import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { sampleDomain } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { shieldId, testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";
import { type CompiledShield, compileShield } from "./compiled-shield.ts";
import { viewsOf } from "./shield-registry.ts";

function compile(
  change: Partial<ShieldConfig>,
  before?: CompiledShield,
  location?: string,
): CompiledShield {
  const result = compileShield(testShield(change), new ShieldCounters(shieldId), before, location);
  if (!result.ok) throw new Error(result.reason);
  return result.shield;
}

const spare = {
  ...testGroup(testBackend(2, 2)),
  id: "0190a000-0000-7000-8000-000000000051",
  default: false,
};
const other = { ...spare, id: spare.id.replace("51", "52"), game: "other" as const, port: 30_000 };
const [backend] = compile({ groups: [testGroup(testBackend(1))] }).groups.flatMap(
  ({ backends }) => backends,
);

describe("views of a shield", () => {
  test("a name without a group of its own has the shield itself, whatever their number", () => {
    const domains = ["a.example.org", "b.example.org"].map(sampleDomain);
    const shield = compile({ domains, groups: [testGroup(), spare] });
    for (const { target } of viewsOf(shield, undefined).claims) expect(target).toBe(shield);
  });

  test("names of one group share a view, which shares everything but the way", () => {
    const domains = ["a.example.org", "*.example.org"].map((name) => ({
      ...sampleDomain(name),
      group_id: spare.id,
    }));
    const shield = compile({ domains, groups: [testGroup(), spare] });
    const [label, first, second] = viewsOf(shield, undefined).claims.map(({ target }) => target);
    expect(label).toBe(shield);
    expect(first).toBe(second);
    expect(first?.chain.map(({ id }) => id)).toEqual([spare.id, testGroup().id]);
    expect(first?.counters).toBe(shield.counters);
    expect(first?.kicks).toBe(shield.kicks);
  });

  test("only groups that this edge may use are looked at", () => {
    const groups = [
      testGroup(),
      { ...spare, location: "london" },
      { ...other, location: "frankfurt" },
    ];
    const used = (location: string): readonly string[] =>
      viewsOf(compile({ groups }, undefined, location), location).groups.map(({ id }) => id);
    expect(used("london")).toEqual([spare.id, testGroup().id]);
    expect(used("frankfurt")).toEqual([testGroup().id, other.id]);
    expect(used("warsaw")).toEqual([testGroup().id]);
  });

  test("without a group for Minecraft the configuration is refused", () => {
    const config = testShield({ groups: [other] });
    expect(compileShield(config, new ShieldCounters(shieldId), undefined).ok).toBe(false);
  });
});

describe("state of backends over changes", () => {
  const before = compile({ groups: [testGroup(testBackend(1))] });
  const only = (shield: CompiledShield) => shield.groups[0]?.backends[0];

  test("everything, while their address and the way to them stay", () => {
    const groups = [{ ...testGroup(testBackend(1)), balancing: "random" as const, name: "New" }];
    expect(only(compile({ groups }, before))).toBe(only(before));
  });

  test.each([
    ["another port", testGroup(testBackend(2))],
    ["another header", { ...testGroup(testBackend(1)), proxy_protocol: true }],
    ["another group", { ...testGroup(testBackend(1)), id: spare.id }],
  ])("with %s only the players: what was known is another's", (_, group) => {
    const after = only(compile({ groups: [group] }, before));
    expect(after).not.toBe(only(before));
    expect(after?.health).not.toBe(only(before)?.health);
    expect(after?.load).toBe(only(before)?.load);
    expect(after?.id).toBe(backend?.id);
  });
});
