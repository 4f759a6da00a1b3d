import { attackTopMax } from "@palisade/contract/edge/attack-limits";
import { challengeCountsLength } from "@palisade/contract/edge/plain-values";
import { telemetryReport } from "@palisade/contract/edge/telemetry";
import { earlierReport, earlierReportSchema } from "@palisade/testing/recorded-telemetry";
import { expect, test } from "vitest";
import { z } from "zod";
import { shieldId } from "./testing/config-harness.ts";

const at = "2030-01-15T12:00:00.000Z";

const recorded = () => earlierReport({ shieldId: shieldId(1), minute: at });

/** The recorded report with everything that has been added since. */
async function presentReport(): Promise<unknown> {
  const earlier = telemetryReport.parse(await recorded());
  const details = { attack_bytes: 9, connections_max: 4, checks: 6, checks_up: 5, latency_ms: 90 };
  const places = { tops: [["p:767", 3]], sketch: [17, 34] };
  const detail = {
    threshold: 20,
    datagrams_threshold: 5_000,
    course: {
      from: 1_894_708_800,
      step: 1,
      logins: [90],
      peaks: [90],
      admitted: [2],
      datagrams: [6_000],
    },
    levels: [{ at, level: "extreme", cause: "start" }],
    addresses: [{ address: "203.0.113.7", logins: attackTopMax }],
    networks: [{ network: "203.0.113.0/24", logins: 61 }],
    names: [{ shape: "Bot_####", logins: 58 }],
    editions: { java: 3, bedrock: 87 },
  };
  const bedrock = {
    port: 19_132,
    state: "up",
    players: 2,
    latency_ms: 9,
    last_error: null,
    changed_at: at,
  };
  const attempt = {
    frame_bytes: 9_000,
    forge: true,
    legacy: true,
    invalid_name: true,
    profile_key: "unreadable",
    passed: "protocol",
    asked: "gravity",
    ping: "none",
    vpn: { list: "hosting" },
    attack: "high",
    waited_ms: 900,
    would_challenge: "gravity",
    score: 40,
    parts: [["source_failed", 40]],
  };
  return {
    ...earlier,
    minutes: earlier.minutes.map((minute) => ({
      ...minute,
      would_challenge: { gravity: 2 },
      bedrock: { joins: 2, player_seconds: 90 },
      challenges: [["gravity 767", Array.from({ length: challengeCountsLength }, () => 1)]],
      details: { ...details, ...places },
    })),
    backends: earlier.backends.map((backend) => ({ ...backend, bedrock })),
    attacks: earlier.attacks.map((attack) => ({ ...attack, datagrams_peak: 6_000, detail })),
    logins: earlier.logins.map((login) => ({ ...login, attempt })),
    counted_from: at,
    counted_to: at,
    has_countries: true,
    has_networks: false,
  };
}

test("an edge of the release before is understood in all that it tells", async () => {
  expect(telemetryReport.parse(await recorded())).toEqual(await recorded());
});

test("an api of the release before takes the report of a present edge, and ignores what is new", async () => {
  const report = await presentReport();
  const present = z.toJSONSchema(telemetryReport, { io: "input" }) as Schema;
  expect(keysMissing(present, report)).toEqual([]);
  const earlier = z.fromJSONSchema(await earlierReportSchema());
  expect(earlier.safeParse(report).error?.issues).toBeUndefined();
  // The recorded schema does say what it refuses.
  expect(earlier.safeParse({ ...(report as object), seq: 0 }).success).toBe(false);
});

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly type?: string;
}

/** Keys the schema has and the value has not, so that a new key cannot be forgotten here. */
function keysMissing(schema: Schema, value: unknown, path = ""): string[] {
  if (schema.type === "array" && Array.isArray(value)) {
    return keysMissing(schema.items ?? {}, value[0], `${path}[]`);
  }
  if (schema.properties === undefined) return [];
  const given = new Map(Object.entries(value ?? {}));
  return Object.entries(schema.properties).flatMap(([key, part]) =>
    given.has(key) ? keysMissing(part, given.get(key), `${path}.${key}`) : [`${path}.${key}`],
  );
}
