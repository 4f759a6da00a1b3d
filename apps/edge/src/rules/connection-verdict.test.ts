import { beforeEach, describe, expect, test } from "vitest";
import { type Change, facts, ip, rulesOf, setOf, Verdicts } from "#src/testing/verdict-fixture.ts";
import { refusesConnection } from "./connection-verdict.ts";
import { mitigationLimits as limits } from "./limits.ts";

const listed = setOf("203.0.113.0/24");
const other = setOf("198.51.100.1");

let at: Verdicts;

beforeEach(() => {
  at = new Verdicts();
});

describe("a connection whose game is not parsed", () => {
  function refusal(change: Change, address = "203.0.113.7") {
    const of = { ip: ip(address), attack: facts.attack };
    return refusesConnection(of, rulesOf(change), at.state, at.nowMs);
  }

  test("is refused by lists first, then by rates, logins in a second and VPN lists", () => {
    expect(refusal({})).toBeUndefined();
    expect(refusal({ blacklist: listed, trusted: listed })).toMatchObject({ reason: "blacklist" });
    expect(refusal({ exclusive: other })).toMatchObject({ reason: "whitelist_only" });
    const vpn = { mitigation: { anti_vpn: true } };
    expect(refusal(vpn, "192.0.2.9")).toMatchObject({ reason: "vpn", shadow: false });
    expect(refusal({ ...vpn, trusted: setOf("192.0.2.9") }, "192.0.2.9")).toBeUndefined();
    const one = { mitigation: { logins_per_second: 1 } };
    expect(refusal(one)).toBeUndefined();
    expect(refusal(one)).toMatchObject({ reason: "max_connections", facts: { limit: "1/s" } });
    const low = { mitigation: { antibot: "low" as const } };
    for (let n = 0; n < limits.addressQuiet; n++) expect(refusal(low)).toBeUndefined();
    expect(refusal(low)).toMatchObject({ reason: "rate" });
  });

  test("in shadow mode goes on, and it is told why it would not have", () => {
    const mitigation = { anti_vpn: true, shadow: true };
    expect(refusal({ mitigation }, "192.0.2.9")).toMatchObject({ reason: "vpn", shadow: true });
    expect(refusal({ mitigation, blacklist: listed })).toMatchObject({ shadow: false });
  });
});
