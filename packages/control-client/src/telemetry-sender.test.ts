import { refusalReasons } from "@palisade/contract/edge/plain-values";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { shieldId } from "./testing/config-harness.ts";
import { minuteOf } from "./testing/minutes.ts";
import { attackOf, healthOf, loginOf, setUpTelemetry } from "./testing/telemetry-setup.ts";

describe("telemetry", () => {
  test("reports a minute once it is over, with its parts in one", async () => {
    const { api, waiting, clock, sender } = await setUpTelemetry();
    waiting.push(minuteOf(1, 0));
    waiting.push(minuteOf(1, 0, 4), minuteOf(1, 1));
    await until(() => sender.stats().buffered === 2);
    clock.advance(61_000);
    await until(() => api.reports.length === 1);
    expect(api.reports[0]?.minutes).toEqual([
      {
        ...minuteOf(1, 0, 5),
        pings: 4,
        refused: { blacklist: 2 },
        bytes_up: 20,
        bytes_down: 200,
        player_seconds: 10,
      },
    ]);
    expect(sender.stats().buffered).toBe(1);
  });

  test("sends gauges while there are any and once more when they are gone", async () => {
    const setup = await setUpTelemetry();
    const { api } = setup;
    setup.gauges = [
      { shield_id: shieldId(1), players: 1, connections_per_second: 0, bandwidth_bps: 9 },
    ];
    await until(() => api.reports.length >= 3);
    expect(api.reports[0]?.live).toEqual(setup.gauges);
    setup.gauges = [];
    await until(() => api.reports.at(-1)?.live.length === 0);
    const { length } = api.reports;
    setup.waiting.push(minuteOf(1, -2));
    await until(() => api.reports.length > length);
    // Nothing but the closed minute: no gauges means no further reports.
    expect(api.reports.length).toBe(length + 1);
  });

  test("reports backends at once, and until it has arrived only the newest health of each", async () => {
    const { api, backends, log } = await setUpTelemetry();
    backends.push(healthOf(1, "up"), healthOf(2, "up"));
    await until(() => api.reports.length === 1);
    expect(api.reports[0]?.backends).toEqual([healthOf(1, "up"), healthOf(2, "up")]);
    api.fail("telemetry", 503);
    backends.push(healthOf(1, "down"));
    await until(() => log.lines.some((line) => line.level === "warn"));
    backends.push(healthOf(2, "down"), healthOf(1, "up"));
    await until(() => backends.length === 0);
    // One attempt may have been under way with the health of before.
    const failed = api.failures();
    await until(() => api.failures() > failed + 1);
    api.fail("telemetry", null);
    await until(() => api.reports.length > 1);
    const later = api.reports.slice(1).flatMap((report) => report.backends);
    expect(later.toSorted((a, b) => a.backend_id.localeCompare(b.backend_id))).toEqual([
      healthOf(1, "up"),
      healthOf(2, "down"),
    ]);
  });

  test("refused backend health does not block counters", async () => {
    const { api, backends, log, waiting } = await setUpTelemetry();
    api.fail("telemetry", 422);
    backends.push(healthOf(1, "up"));
    await until(() => log.lines.some((line) => line.level === "error"));
    api.fail("telemetry", null);
    waiting.push(minuteOf(1, -2));
    await until(() => api.reports.length > 0);
    expect(api.reports[0]).toMatchObject({ minutes: [minuteOf(1, -2)], backends: [] });
  });

  test("thousands of backends are split over several reports", async () => {
    const { api, backends } = await setUpTelemetry();
    for (let n = 0; n < 4_500; n++) backends.push(healthOf(n, "up"));
    await until(() => api.reports.flatMap((report) => report.backends).length === 4_500);
    expect(api.reports.map((report) => report.backends.length)).toEqual([2_000, 2_000, 500]);
  });

  test("sends a report regularly in any case, open minutes included", async () => {
    const { api, waiting } = await setUpTelemetry({ reportIntervalMaxMs: 20 });
    await until(() => api.reports.length >= 2);
    expect(api.reports[0]).toMatchObject({ minutes: [], live: [] });
    waiting.push(minuteOf(1, 0));
    await until(() => api.reports.some(({ minutes }) => minutes.length > 0));
    expect(api.reports.flatMap(({ minutes }) => minutes)).toEqual([minuteOf(1, 0)]);
  });

  test("repeats an unanswered report under its number, with the gauges of now", async () => {
    const setup = await setUpTelemetry();
    const { api, log, sender } = setup;
    api.fail("telemetry", 503);
    setup.waiting.push(minuteOf(1, -2));
    await until(() => log.lines.some((line) => line.level === "warn"));
    setup.gauges = [
      { shield_id: shieldId(1), players: 7, connections_per_second: 1, bandwidth_bps: 0 },
    ];
    setup.waiting.push(minuteOf(2, -2));
    await until(() => sender.stats().buffered === 1);
    api.fail("telemetry", null);
    await until(() => api.reports.length >= 2);
    expect(api.reports[0]).toMatchObject({
      seq: 1,
      minutes: [minuteOf(1, -2)],
      live: setup.gauges,
    });
    expect(api.reports[1]).toMatchObject({ seq: 2, minutes: [minuteOf(2, -2)] });
  });

  test("after an outage, tells only of minutes that no longer wait", async () => {
    const { api, waiting, clock, sender } = await setUpTelemetry();
    api.fail("telemetry", 503);
    waiting.push(minuteOf(1, 0));
    clock.advance(61_000);
    await until(() => api.failures() > 0);
    // More than one report holds, each of the next minute.
    waiting.push(...Array.from({ length: 5_000 }, (_, n) => minuteOf(n, n < 4_000 ? 1 : 2)));
    await until(() => sender.stats().buffered === 5_000);
    clock.advance(180_000);
    api.fail("telemetry", null);
    await until(() => sender.stats().buffered === 0 && api.reports.length >= 3);
    const at = (minute: number) => minuteOf(1, minute).minute;
    expect(
      api.reports.slice(0, 3).map(({ counted_from, counted_to }) => [counted_from, counted_to]),
    ).toEqual([
      [at(0), at(0)],
      [at(1), at(1)],
      [at(2), at(4)],
    ]);
  });

  test("an hour without the api arrives minute by minute, once, and is told to be complete", async () => {
    const { api, waiting, clock, sender } = await setUpTelemetry();
    api.fail("telemetry", 503);
    const shields = 40;
    for (let minute = 0; minute < 60; minute += 1) {
      waiting.push(...Array.from({ length: shields }, (_, n) => minuteOf(n, minute, minute + 1)));
      clock.advance(60_000);
      await until(() => waiting.length === 0, { everyMs: 1 });
    }
    clock.advance(60_000);
    api.fail("telemetry", null);
    await until(() => sender.stats().buffered === 0 && api.reports.length >= 2);
    const told = api.reports.flatMap(({ minutes }) => minutes);
    expect(told).toHaveLength(60 * shields);
    expect(new Set(told.map((each) => `${each.shield_id} ${each.minute}`)).size).toBe(told.length);
    for (const [index, each] of told.entries()) {
      const minute = Math.floor(index / shields);
      expect([each.minute, each.joins]).toEqual([minuteOf(1, minute).minute, minute + 1]);
    }
    const at = (minute: number) => minuteOf(1, minute).minute;
    expect(api.reports[0]?.counted_from).toBe(at(0));
    expect(api.reports.findLast(({ minutes }) => minutes.length > 0)?.counted_to).toBe(at(61));
    expect(sender.stats()).toMatchObject({ buffered: 0, dropped: 0 });
  });

  test("a report holds 3 MiB of minutes at most", async () => {
    const { api, waiting, clock } = await setUpTelemetry();
    const sketch = Array.from({ length: 180 }, (_, register) => 16 * register + 50_001);
    waiting.push(
      ...Array.from({ length: 3_500 }, (_, n) => ({
        ...minuteOf(n, 0),
        details: {
          attack_bytes: 0,
          connections_max: 0,
          checks: 0,
          checks_up: 0,
          latency_ms: 0,
          tops: [],
          sketch,
        },
      })),
    );
    clock.advance(61_000);
    await until(() => api.reports.flatMap(({ minutes }) => minutes).length === 3_500);
    const sizes = api.reports.map(({ minutes }) => JSON.stringify(minutes).length);
    expect(sizes.length).toBe(2);
    expect(Math.max(...sizes)).toBeLessThan(3_200_000);
  });

  test("drops a report that the api will never accept, and continues", async () => {
    const { api, waiting, sender } = await setUpTelemetry();
    api.fail("telemetry", 422);
    waiting.push(minuteOf(1, -2));
    await until(() => sender.stats().reports === 1);
    api.fail("telemetry", null);
    waiting.push(minuteOf(2, -2));
    await until(() => api.reports.length === 1);
    expect(api.reports[0]).toMatchObject({ seq: 2, minutes: [minuteOf(2, -2)] });
  });

  test("loses only the invalid items of a report, and reports nothing twice", async () => {
    const { api, waiting, logins, attacks, backends, log } = await setUpTelemetry();
    const minutes = Array.from({ length: 50 }, (_, n) => minuteOf(n + 1, -2));
    waiting.push(...minutes);
    logins.push(...Array.from({ length: 40 }, (_, n) => loginOf(n)));
    logins.splice(17, 1, { ...loginOf(17), trace: "not one" });
    const ended = attackOf(1, "2030-01-15T12:01:00.000Z");
    attacks.set(ended.id, ended);
    backends.push({ ...healthOf(1, "up"), players: -1 });
    await until(() => log.lines.some((line) => line.level === "error"));
    await until(() => logins.length === 0 && attacks.size === 0);
    await until(() => api.reports.flatMap((report) => report.logins).length === 39);
    expect(api.reports.flatMap((report) => report.minutes)).toEqual(minutes);
    expect(api.reports.flatMap((report) => report.attacks)).toEqual([ended]);
    const numbers = api.reports.map(({ seq }) => seq);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(log.lines.filter((line) => line.level === "error")).toHaveLength(1);
  });

  test("a report that is too large for the api arrives in parts", async () => {
    const { api, waiting, logins, log } = await setUpTelemetry();
    const many = Object.fromEntries(refusalReasons.map((reason) => [reason, 10 ** 15]));
    const minutes = Array.from({ length: 4_000 }, (_, n) => ({
      ...minuteOf(n + 1, -2),
      refused: many,
      shadowed: many,
    }));
    waiting.push(...minutes);
    logins.push(loginOf(1));
    await until(() => api.reports.flatMap((report) => report.minutes).length === 4_000);
    await until(() => api.reports.flatMap((report) => report.logins).length === 1);
    expect(api.reports.length).toBeGreaterThan(1);
    expect(log.lines.filter((line) => line.level === "error")).toEqual([]);
  });

  test("sends everything that is left when it stops, the open minute included", async () => {
    const { api, waiting, sender } = await setUpTelemetry();
    waiting.push(minuteOf(1, 0));
    await sender.stop(5_000);
    expect(api.reports.flatMap((report) => report.minutes)).toEqual([minuteOf(1, 0)]);
  });

  test("stops within its deadline when the api does not answer", async () => {
    const { api, waiting, sender } = await setUpTelemetry();
    api.fail("telemetry", "silence");
    waiting.push(minuteOf(1, 0));
    await sender.stop(200);
    expect(api.reports).toEqual([]);
  });
});
