import { describe, expect, test } from "vitest";
import { emptyDraft, parseDraft } from "./draft.ts";

describe("setup draft", () => {
  test("entries are restored, with the reservation and the unanswered submit", () => {
    const typed = {
      ...emptyDraft,
      server_name: "Skyline",
      real_port: "25570",
      cname_record: "k7f3q2m9xw4t.gs.localhost",
      free_domain: "play.example.com",
      price_cents: 900,
      submit: { key: "a", body: "{}" },
    };
    expect(parseDraft(JSON.stringify({ ...typed, owner: "ann" }), "ann")).toEqual(typed);
  });

  test.each([
    null,
    "",
    "{",
    "7",
    "[]",
    '{"server_name":{},"real_port":null,"price_cents":"9","submit":{"key":4}}',
  ])("%s gives an empty wizard", (stored) => expect(parseDraft(stored, "ann")).toEqual(emptyDraft));

  test("a draft of the former single form is restored", () => {
    const former = {
      pricing_plan_id: "plan",
      server_name: "Lobby",
      real_ip: "203.0.113.5",
      real_port: 25_570,
      location: "local",
      domain: "play.example.com",
    };
    expect(parseDraft(JSON.stringify(former), "ann")).toEqual({
      ...emptyDraft,
      ...former,
      real_port: "25570",
    });
  });

  test("another user's draft stays hidden", () => {
    const stored = JSON.stringify({ ...emptyDraft, server_name: "Lobby", owner: "bob" });
    expect(parseDraft(stored, "ann")).toEqual(emptyDraft);
  });
});
