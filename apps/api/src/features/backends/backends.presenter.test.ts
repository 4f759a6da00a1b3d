import { describe, expect, test } from "vitest";
import { presentBackend } from "./backends.presenter.ts";
import type { HealthRow } from "./backends.repository.ts";

const server = {
  id: "0198a6e0-0000-7000-8000-000000000001",
  group_id: "0198a6e0-0000-7000-8000-000000000002",
  host: "203.0.113.9",
  port: 25_565,
  bedrock_port: null,
  bedrock_proxy: "off",
  created_at: new Date("2026-11-20T10:00:00.000Z"),
  proof_checks: 0,
  proof_check_at: null,
  game: "minecraft",
  proof_kind: null,
  proof_address: null,
  proof_at: null,
} as const;

function told(changes: Partial<HealthRow>): HealthRow {
  return {
    backend_id: server.id,
    state: "up",
    players: "0",
    latency_ms: null,
    last_error: null,
    expects_proxy: false,
    changed_at: null,
    ...changes,
  };
}

function healthOf(rows: readonly HealthRow[], locale: "en" | "ru" = "en") {
  return presentBackend(server, { health: rows, bedrockHealth: [], locale }).health;
}

describe("health of a server", () => {
  test("is unknown while no edge says anything, or says that it does not know", () => {
    const nothing = {
      state: "unknown",
      edges_up: 0,
      edges_down: 0,
      players: 0,
      latency_ms: null,
      last_error: null,
      expects_proxy: false,
      changed_at: null,
    };
    expect(healthOf([])).toEqual(nothing);
    expect(healthOf([told({ state: "unknown" })])).toEqual(nothing);
    expect(healthOf([told({ backend_id: server.group_id, players: "7" })])).toEqual(nothing);
  });

  test("adds up what the edges see: up while one reaches it, with the error of one that does not", () => {
    const rows = [
      told({ players: "3", latency_ms: 10, changed_at: new Date(1_000), last_error: "refused" }),
      told({ players: "4", latency_ms: 21 }),
      told({ state: "down", last_error: "timeout", changed_at: new Date(2_000) }),
    ];
    expect(healthOf(rows)).toEqual({
      state: "up",
      edges_up: 2,
      edges_down: 1,
      players: 7,
      latency_ms: 16,
      last_error: "Does not answer",
      expects_proxy: false,
      changed_at: "1970-01-01T00:00:02.000Z",
    });
  });

  test("is down where no edge reaches it, with the reason in the reader's language", () => {
    const rows = [told({ state: "down", last_error: "refused" }), told({ state: "unknown" })];
    expect(healthOf(rows)).toMatchObject({ state: "down", last_error: "Refuses connections" });
    expect(healthOf(rows, "ru").last_error).toBe("Отказывает в соединении");
  });

  test("stays a number whatever edges report", () => {
    const rows = Array.from({ length: 10_000 }, () => told({ players: "1000000000000" }));
    expect(Number.isSafeInteger(healthOf(rows).players)).toBe(true);
  });

  test("says that a server expects PROXY protocol while no edge reaches it", () => {
    const refused = told({ state: "down", last_error: "not_minecraft", expects_proxy: true });
    expect(healthOf([refused])).toMatchObject({
      expects_proxy: true,
      last_error: "This server expects PROXY protocol. Turn it on for the group",
    });
    expect(healthOf([refused, told({})]).expects_proxy).toBe(false);
  });
});

describe("health of a Bedrock port", () => {
  const bedrockHealthOf = (bedrock_port: number | null, rows: readonly HealthRow[]) =>
    presentBackend(
      { ...server, bedrock_port },
      { health: [told({ players: "9" })], bedrockHealth: rows, locale: "en" },
    ).bedrock_health;

  test("is apart from that of the port for Java", () => {
    const rows = [
      told({ state: "down", last_error: "timeout" }),
      told({ players: "2", latency_ms: 8 }),
    ];
    expect(bedrockHealthOf(19_132, rows)).toEqual({
      state: "up",
      edges_up: 1,
      edges_down: 1,
      players: 2,
      latency_ms: 8,
      last_error: "Does not answer",
      changed_at: null,
    });
    expect(bedrockHealthOf(19_132, [])).toMatchObject({ state: "unknown", players: 0 });
  });

  test("is not there without such a port", () => {
    expect(bedrockHealthOf(null, [told({})])).toBeNull();
  });
});
