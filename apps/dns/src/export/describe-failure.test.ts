import { describe, expect, test } from "vitest";
import { describeFailure } from "#src/export/describe-failure.ts";
import type { Refusal, UpdateOutcome } from "#src/export/update-outcome.ts";

const facts = { zone: "gs.test", server: "192.0.2.1:53", keyName: "palisade-export" };

function refused(refusal: Refusal, clockAheadSeconds: number | null = null): UpdateOutcome {
  return { kind: "refused", refusal, rcode: 8, clockAheadSeconds };
}

const told = (outcome: UpdateOutcome): string =>
  outcome.kind === "done" ? "" : describeFailure(outcome, facts);

describe("the message about a failed export", () => {
  test.each<[Refusal, string]>([
    ["FORMERR", "check that PALISADE_DNS_UPDATE_SERVER"],
    ["SERVFAIL", "see its log"],
    ["NOTIMP", "check that PALISADE_DNS_UPDATE_SERVER"],
    ["REFUSED", "check PALISADE_DNS_UPDATE_KEY"],
    ["NOTAUTH", "check PALISADE_DNS_UPDATE_SERVER and PALISADE_ZONE"],
    ["NOTZONE", "check PALISADE_ZONE"],
    ["BADSIG", "check the secret in PALISADE_DNS_UPDATE_KEY"],
    ["BADKEY", "check the name in PALISADE_DNS_UPDATE_KEY"],
    ["BADTIME", "the settings are right"],
  ])("%s: its name, the server, and what to check", (refusal, advice) => {
    expect(told(refused(refusal))).toMatch(new RegExp(`^${refusal}: .*192\\.0\\.2\\.1:53`));
    expect(told(refused(refusal))).toContain(advice);
  });

  test("says by how much the clocks differ if the server sends its time", () => {
    expect(told(refused("BADTIME", -3_600))).toContain("differ by 3600 s");
    expect(told(refused("BADTIME"))).toContain("differ:");
  });

  test("names an unknown code by its number", () => {
    expect(told(refused("other"))).toContain("code 8");
  });

  test("tells an unreachable server from a wrong one", () => {
    const away = told({ kind: "unreachable", reason: "connect ECONNREFUSED" });
    expect(away).toContain("connect ECONNREFUSED");
    expect(away).toContain("check PALISADE_DNS_UPDATE_SERVER");
    const other = told({ kind: "untrusted", reason: "is not signed" });
    expect(other).toContain("the answer of 192.0.2.1:53 is not signed");
  });
});
