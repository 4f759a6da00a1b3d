import { sampleFavicon } from "@palisade/testing/sample-favicon";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { shieldId } from "./testing/config-harness.ts";
import { attackOf, healthOf, loginOf, setUpTelemetry } from "./testing/telemetry-setup.ts";

describe("attacks and logins", () => {
  test("are reported at once; an attack in every report until its end has arrived", async () => {
    const { api, attacks, logins } = await setUpTelemetry();
    logins.push(loginOf(1));
    attacks.set("a", attackOf(1));
    await until(() => api.reports.length >= 3);
    expect(api.reports[0]).toMatchObject({ attacks: [attackOf(1)], logins: [loginOf(1)] });
    expect(api.reports[2]).toMatchObject({ attacks: [attackOf(1)], logins: [] });
    const ended = attackOf(1, "2030-01-15T12:01:00.000Z");
    attacks.clear();
    attacks.set(ended.id, ended);
    await until(() => attacks.size === 0);
    const ends = api.reports.flatMap((report) => report.attacks).filter((one) => one.ended_at);
    expect(ends).toEqual([ended]);
  });

  test("survive an outage of the control plane and arrive once", async () => {
    const { api, attacks, logins, log } = await setUpTelemetry();
    api.fail("telemetry", 503);
    logins.push(loginOf(1));
    await until(() => log.lines.some((line) => line.level === "warn"));
    logins.push(loginOf(2));
    const ended = attackOf(1, "2030-01-15T12:01:00.000Z");
    attacks.set(ended.id, ended);
    const failed = api.failures();
    await until(() => api.failures() > failed + 1);
    api.fail("telemetry", null);
    await until(() => attacks.size === 0 && logins.length === 0);
    expect(api.reports.flatMap((report) => report.logins)).toEqual([loginOf(1), loginOf(2)]);
    expect(api.reports.flatMap((report) => report.attacks)).toEqual([ended]);
  });

  test("are repeated unchanged when an answer is lost; newer ones get a new number", async () => {
    const { api, attacks, logins } = await setUpTelemetry();
    api.loseAnswers(true);
    logins.push(loginOf(1));
    attacks.set(attackOf(1).id, attackOf(1));
    await until(() => api.reports.length >= 1);
    logins.push(loginOf(2));
    const ended = attackOf(1, "2030-01-15T12:01:00.000Z");
    attacks.set(ended.id, ended);
    await until(() => api.reports.length >= 3);
    api.loseAnswers(false);
    await until(() => attacks.size === 0 && logins.length === 0);
    const first = api.reports.filter(({ seq }) => seq === 1);
    expect(first.length).toBeGreaterThan(2);
    for (const { attacks: told, logins: entries } of first) {
      expect({ told, entries }).toEqual({ told: [attackOf(1)], entries: [loginOf(1)] });
    }
    const counted = new Map(api.reports.map((report) => [report.seq, report]));
    const later = [...counted.values()].filter(({ seq }) => seq > 1);
    expect(later.flatMap((report) => report.logins)).toEqual([loginOf(2)]);
    expect(later.flatMap((report) => report.attacks)).toEqual([ended]);
  });

  test("thousands of logins are split over several reports", async () => {
    const { api, logins } = await setUpTelemetry();
    logins.push(...Array.from({ length: 2_500 }, (_, n) => loginOf(n)));
    await until(() => api.reports.flatMap((report) => report.logins).length === 2_500);
    expect(api.reports.map((report) => report.logins.length)).toEqual([1_000, 1_000, 500]);
  });

  test("attacks end when the program stops", async () => {
    const { api, attacks, sender } = await setUpTelemetry();
    attacks.set(attackOf(1).id, attackOf(1));
    await until(() => api.reports.length > 0);
    await sender.stop(5_000);
    expect(attacks.size).toBe(0);
    expect(api.reports.at(-1)?.attacks).toMatchObject([{ ended_at: expect.any(String) }]);
  });

  test("a report refused for good does not block others", async () => {
    const { api, attacks, logins, sender } = await setUpTelemetry();
    api.fail("telemetry", 422);
    const ended = attackOf(1, "2030-01-15T12:01:00.000Z");
    attacks.set(ended.id, ended);
    logins.push(loginOf(1));
    // In the end, each of the two alone.
    await until(() => sender.stats().reports === 2);
    api.fail("telemetry", null);
    logins.push(loginOf(2));
    await until(() => api.reports.length === 1);
    expect(api.reports).toMatchObject([{ attacks: [], logins: [loginOf(2)] }]);
  });
});

describe("icons of backends", () => {
  test("an icon is sent until it has arrived, and then no more", async () => {
    const { api, favicons, backends, log } = await setUpTelemetry();
    api.fail("telemetry", 503);
    const icon = { shield_id: shieldId(1), backend_id: shieldId(101), favicon: sampleFavicon() };
    favicons.add(icon);
    await until(() => log.lines.some((line) => line.level === "warn"));
    expect(favicons.size).toBe(1);
    api.fail("telemetry", null);
    await until(() => favicons.size === 0);
    backends.push(healthOf(1, "up"));
    await until(() => api.reports.some((report) => report.backends.length > 0));
    const sent = api.reports.flatMap((report) => report.favicons);
    expect(sent).toEqual([icon]);
  });

  test("an icon that the api refuses for good is not sent for ever", async () => {
    const { api, favicons } = await setUpTelemetry();
    api.fail("telemetry", 422);
    favicons.add({ shield_id: shieldId(1), backend_id: shieldId(101), favicon: null });
    await until(() => favicons.size === 0);
    expect(api.reports).toEqual([]);
  });
});
