import { describe, expect, test } from "vitest";
import { emptyDraft, type SetupDraft } from "./draft.ts";
import {
  clampStep,
  issuesOfStep,
  reachableStep,
  stepOfField,
  toSubmission,
  type StepName,
} from "./steps.ts";

const complete: SetupDraft = {
  ...emptyDraft,
  pricing_plan_id: "0197c000-0000-7000-8000-000000000001",
  server_name: "Skyline Survival",
  real_ip: "203.0.113.5",
  real_port: "25565",
  location: "local",
  domain: "Play.Example.com.",
  free_domain: "play.example.com",
  cname_record: "k7f3q2m9xw4t.gs.localhost",
  price_cents: 900,
};
const open = { plan: "open", location: "open" } as const;

describe("the step of an address", () => {
  test.each([
    [undefined, 1],
    [Number.NaN, 1],
    [-3, 1],
    [0, 1],
    [3.9, 3],
    [6, 6],
    [99, 6],
  ])("%s is step %i", (wanted, step) => expect(clampStep(wanted)).toBe(step));

  test.each<[Partial<SetupDraft>, number]>([
    [{ pricing_plan_id: "" }, 1],
    [{ server_name: " " }, 2],
    [{ real_ip: "" }, 3],
    [{ real_port: "70000" }, 3],
    [{ location: "" }, 4],
    [{ domain: "" }, 5],
    [{ free_domain: "other.example.com" }, 5],
    [{ cname_record: null }, 5],
    [{}, 6],
  ])("without %j leads to step %i", (lack, step) =>
    expect(reachableStep(6, { ...complete, ...lack }, open)).toBe(step),
  );

  test("never goes further than asked", () => {
    expect(reachableStep(2, complete, open)).toBe(2);
    expect(reachableStep(2, emptyDraft, open)).toBe(1);
  });

  test("a plan that the balance does not cover leads to the plans, but not away from the confirmation", () => {
    const offer = { plan: "short", location: "open" } as const;
    expect(reachableStep(3, complete, offer)).toBe(1);
    expect(reachableStep(6, complete, offer)).toBe(6);
  });

  test("a location that is no longer available leads to the locations", () => {
    expect(reachableStep(6, complete, { plan: "open", location: "gone" })).toBe(4);
  });

  test("a plan that is no longer sold leads to the plans", () => {
    expect(reachableStep(6, complete, { plan: "gone", location: "open" })).toBe(1);
  });

  test("lists that have not loaded send no user back", () => {
    expect(reachableStep(6, complete, { plan: undefined, location: undefined })).toBe(6);
  });
});

describe("the rules of a step", () => {
  test.each<[StepName, Partial<SetupDraft>, Record<string, string>]>([
    ["plan", { pricing_plan_id: "" }, { pricing_plan_id: "pricing_plan_id.required" }],
    ["plan", { pricing_plan_id: "seven" }, { pricing_plan_id: "pricing_plan_id.invalid" }],
    ["name", { server_name: "" }, { server_name: "server_name.required" }],
    ["name", { server_name: "x".repeat(256) }, { server_name: "server_name.max" }],
    ["name", { server_name: "Sky/line" }, { server_name: "server_name.characters" }],
    ["name", { server_name: "Небо 2" }, {}],
    ["backend", { server_name: "" }, { server_name: "server_name.required" }],
    ["backend", { real_ip: "" }, { real_ip: "real_ip.required" }],
    ["backend", { real_ip: "999.1.1.1" }, { real_ip: "real_ip.invalid" }],
    ["backend", { real_port: "" }, { real_port: "real_port.required" }],
    ["backend", { real_port: "2556x" }, { real_port: "real_port.integer" }],
    ["backend", { real_port: "1e3" }, { real_port: "real_port.integer" }],
    ["backend", { real_port: "２５" }, { real_port: "real_port.integer" }],
    ["backend", { real_port: "0" }, { real_port: "real_port.range" }],
    ["backend", { real_port: "65536" }, { real_port: "real_port.range" }],
    ["backend", { real_port: " 25570 " }, {}],
    ["location", { location: "" }, { location: "location.required" }],
    ["domain", { domain: "" }, { domain: "domain.required" }],
    ["domain", { domain: `${"a.".repeat(127)}com` }, { domain: "domain.max" }],
    ["domain", { domain: "localhost" }, { domain: "domain.invalid" }],
    ["domain", { domain: "-a.example.com" }, { domain: "domain.invalid" }],
  ])("%s with %j says %j", (step, change, issues) =>
    expect(issuesOfStep({ ...complete, ...change }, step)).toEqual(issues),
  );
});

describe("the request body", () => {
  test("has the port as a number and the price the user saw", () => {
    expect(toSubmission(complete)).toMatchObject({
      ok: true,
      body: { real_port: 25_565, expected_price_cents: 900, server_name: "Skyline Survival" },
    });
  });

  test("does not exist while a field is invalid", () => {
    expect(toSubmission({ ...complete, domain: "", cname_record: null })).toEqual({
      ok: false,
      issues: { domain: "domain.required", cname_record: "cname_record.required" },
    });
  });

  test.each([
    ["real_port", 3],
    ["server_name", 2],
    ["domain", 5],
    ["cname_record", 5],
    ["pricing_plan_id", 1],
    ["location", 4],
    ["somewhere", null],
  ])("a refusal of %s belongs to step %s", (field, step) => expect(stepOfField(field)).toBe(step));
});
