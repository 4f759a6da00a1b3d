import { exampleEventData } from "@palisade/contract/http/notification-events";
import { expect, test } from "vitest";
import { type EventData, eventText } from "./event-texts.ts";

const example = exampleEventData["attack.started"];

/** The text, and the details by their labels. */
function said(kind: "attack.started" | "attack.ended", data: EventData) {
  const { text, details } = eventText(kind, data, { locale: "en", timeZone: "UTC" });
  return { text, ...Object.fromEntries(details.map(({ label, value }) => [label, value])) };
}

test("an attack of Bedrock datagrams alone is told as one that changes no check", () => {
  const flood = { ...example, peak_per_second: 0, datagrams_peak: 9_000, editions: null };
  expect(said("attack.started", flood)).toMatchObject({
    text: "Its Bedrock ports get more datagrams than players send. They open no connection; players can still join.",
    "Peak, Bedrock datagrams per second": "9,000",
    Edition: "Bedrock",
  });
  expect(said("attack.started", flood)).not.toHaveProperty("Peak, logins per second");
  expect(said("attack.ended", { ...flood, ended_at: flood.started_at }).text).toBe(
    "The number of datagrams at its Bedrock ports is back to normal.",
  );
});

test("an attack of logins names datagrams only where there are some", () => {
  expect(said("attack.started", example)).not.toHaveProperty("Peak, Bedrock datagrams per second");
  const both = { ...example, datagrams_peak: 9_000, editions: { java: 80, bedrock: 0 } };
  expect(said("attack.started", both)).toMatchObject({
    text: expect.stringContaining("More players log in"),
    "Peak, logins per second": "240",
    "Peak, Bedrock datagrams per second": "9,000",
    Edition: "Java, Bedrock",
  });
});
