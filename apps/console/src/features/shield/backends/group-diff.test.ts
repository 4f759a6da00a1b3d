import type { BackendGroup, BackendServer } from "@palisade/contract/http/backends";
import { describe, expect, test } from "vitest";
import { changedValues, diffGroup, valuesOf } from "./group-diff.ts";

function server(ip: string, port = 25_565): BackendServer {
  return {
    id: `${ip} ${port}`,
    ip,
    port,
    bedrock_port: null,
    bedrock_proxy: "off",
    created_at: "2026-11-20T10:00:00.000Z",
    proof: { proven: true, by: "minecraft", proven_at: "2026-11-20T10:00:00.000Z" },
    health: {
      state: "up",
      edges_up: 1,
      edges_down: 0,
      players: 0,
      latency_ms: 1,
      last_error: null,
      expects_proxy: false,
      changed_at: null,
    },
    bedrock_health: null,
  };
}

const group: BackendGroup = {
  id: "0198a6e0-0000-7000-8000-000000000001",
  name: "Lobby",
  game: "minecraft",
  region: "anycast_legacy",
  region_name: "Anycast (Legacy)",
  load_balancing: "round_robin",
  proxy_protocol: false,
  default: true,
  port: null,
  created_at: "2026-11-20T10:00:00.000Z",
  etag: '"a"',
  ips: [server("203.0.113.7"), server("2001:db8::7")],
};

describe("a group", () => {
  test("without changes has no difference, even if its health changes", () => {
    const [first = server("203.0.113.7")] = group.ips;
    const sick = { ...first, health: { ...first.health, state: "down" as const } };
    const now = { ...group, ips: [sick, ...group.ips.slice(1)] };
    expect(diffGroup(group, now)).toEqual({ fields: [], added: [], removed: [] });
  });

  test("with changes lists its fields and servers", () => {
    const now: BackendGroup = {
      ...group,
      name: "Hub",
      default: false,
      ips: [server("203.0.113.7"), server("203.0.113.8", 1)],
    };
    expect(diffGroup(group, now)).toEqual({
      fields: ["name", "default"],
      added: ["203.0.113.8:1"],
      removed: ["[2001:db8::7]:25565"],
    });
  });

  test("is saved with only the changed fields", () => {
    const typed = { ...valuesOf(group), name: "Hub", proxy_protocol: true };
    expect(changedValues(valuesOf(group), typed)).toEqual({ name: "Hub", proxy_protocol: true });
    expect(changedValues(valuesOf(group), valuesOf(group))).toEqual({});
  });
});
