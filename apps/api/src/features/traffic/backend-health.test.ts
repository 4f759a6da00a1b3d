import { randomUUID } from "node:crypto";
import type { BackendHealth } from "@palisade/contract/edge/telemetry";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createShield, enrolEdge, firstBackend } from "#src/test-support/test-shields.ts";
import { eachTestHasTraffic, type TrafficOfTest } from "#src/test-support/test-traffic.ts";
import { createUser } from "#src/test-support/test-users.ts";

let at: TrafficOfTest;
eachTestHasTraffic((current) => (at = current));

describe("health of backends", () => {
  async function health(changes: Partial<BackendHealth> = {}): Promise<BackendHealth> {
    return {
      shield_id: at.shieldId,
      backend_id: await firstBackend(at.testApp, at.shieldId),
      state: "up",
      players: 3,
      latency_ms: 12,
      last_error: null,
      expects_proxy: false,
      answered_at: null,
      changed_at: at.minute(1),
      ...changes,
    };
  }

  function stored() {
    return at.testApp.platform.db
      .selectFrom("backend_health")
      .innerJoin("backends", "backends.id", "backend_health.backend_id")
      .innerJoin("backend_groups", "backend_groups.id", "backends.group_id")
      .select(["edge_id", "state", "players", "latency_ms", "last_error"])
      .where("backend_groups.shield_id", "=", at.shieldId)
      .orderBy("edge_id")
      .execute();
  }

  test("each edge has one row a backend: the newest; what a report leaves out stays", async () => {
    await at.send(
      at.report({ backends: [await health({ state: "down", last_error: "refused" })] }),
    );
    const late = at.report({ backends: [await health({ state: "down" })] });
    await at.send(at.report({ backends: [await health()] }));
    await at.send(late);
    await at.send(at.report());
    expect(await stored()).toEqual([
      { edge_id: at.edge.id, state: "up", players: "3", latency_ms: 12, last_error: null },
    ]);
    await at.send(at.report({ backends: [await health({ players: 1 })] }), at.other);
    expect((await stored()).map(({ players }) => players).sort()).toEqual(["1", "3"]);
  });

  test("a Bedrock port's health is stored for the port that the server has now, and apart from Java's", async () => {
    const { db } = at.testApp.platform;
    const id = await firstBackend(at.testApp, at.shieldId);
    await db.updateTable("backends").set({ bedrock_port: 19_132 }).where("id", "=", id).execute();
    const bedrock = {
      port: 19_132,
      state: "down",
      players: 1,
      latency_ms: 9,
      last_error: "timeout",
      changed_at: at.minute(1),
    } as const;
    const rows = () =>
      db
        .selectFrom("bedrock_health")
        .select(["state", "players", "latency_ms", "last_error"])
        .where("backend_id", "=", id)
        .execute();
    await at.send(
      at.report({ backends: [await health({ bedrock: { ...bedrock, port: 19_133 } })] }),
    );
    expect(await rows()).toEqual([]);
    await at.send(at.report({ backends: [await health({ bedrock })] }));
    expect(await rows()).toEqual([
      { state: "down", players: "1", latency_ms: 9, last_error: "timeout" },
    ]);
    expect(await stored()).toMatchObject([{ state: "up", players: "3" }]);
    await at.send({ ...at.report(), boot_id: randomUUID() });
    expect(await rows()).toEqual([]);
  });

  test("a backend that expects PROXY protocol is stored as such", async () => {
    const backend = { state: "down", last_error: "not_minecraft", expects_proxy: true } as const;
    await at.send(at.report({ backends: [await health(backend)] }));
    const rows = await at.testApp.platform.db
      .selectFrom("backend_health")
      .select("expects_proxy")
      .where("backend_id", "=", await firstBackend(at.testApp, at.shieldId))
      .execute();
    expect(rows).toEqual([{ expects_proxy: true }]);
  });

  test("the newest report says whether the edge has VPN lists", async () => {
    const vpnLists = async () => {
      const { vpn_lists } = await at.testApp.platform.db
        .selectFrom("edges")
        .select("vpn_lists")
        .where("id", "=", at.edge.id)
        .executeTakeFirstOrThrow();
      return vpn_lists;
    };
    expect(await vpnLists()).toBeNull();
    const late = at.report({ vpn_lists: true });
    await at.send(at.report({ vpn_lists: false }));
    await at.send(late);
    expect(await vpnLists()).toBe(false);
    await at.send(at.report({ vpn_lists: true }));
    expect(await vpnLists()).toBe(true);
    await at.send(at.report());
    expect(await vpnLists()).toBeNull();
  });

  test("an edge that has started again knows nothing of before", async () => {
    await at.send(at.report({ backends: [await health()] }));
    await at.send({ ...at.report(), boot_id: randomUUID() });
    expect(await stored()).toEqual([]);
  });

  test("a start that another has followed brings counters, and undoes nothing of the other's", async () => {
    const boots = [at.bootId, randomUUID()];
    const gauge = { shield_id: at.shieldId, connections_per_second: 0, bandwidth_bps: 0 };
    for (const [turn, players] of [3, 5, 0, 5, 0].entries()) {
      const live = players === 0 ? [] : [{ ...gauge, players }];
      const backends = turn === 1 ? [await health({ players: 7 })] : [];
      const boot_id = boots[turn % 2] ?? at.bootId;
      await at.send({ ...at.report({ live, backends, minutes: [at.counters()] }), boot_id });
      expect((await at.overview()).players_online).toBe(turn === 0 ? 3 : 5);
    }
    expect(await stored()).toMatchObject([{ players: "7" }]);
    const { rows } = await sql<{ joins: string }>`
      select sum(joins) as joins from telemetry_minutes where shield_id = ${at.shieldId}
    `.execute(at.testApp.platform.db);
    expect(rows).toEqual([{ joins: "5" }]);
  });

  test("another's shield, an unknown backend and hostile numbers count for nothing or are capped", async () => {
    const stranger = (await createShield(at.testApp, await createUser(at.testApp))).id;
    const abroad = await enrolEdge(at.testApp, at.staff, {
      name: `abroad-h-${at.bootId.slice(0, 8)}`,
      location: "frankfurt",
    });
    await at.send(at.report({ backends: [await health()] }), abroad);
    await at.send(
      at.report({
        backends: [
          await health({ shield_id: stranger }),
          await health({ backend_id: await firstBackend(at.testApp, stranger) }),
          await health({ backend_id: randomUUID() }),
        ],
      }),
    );
    expect(await stored()).toEqual([]);
    const hostile = { players: Number.MAX_SAFE_INTEGER, changed_at: "9999-12-31T23:59:59.999Z" };
    await at.send(at.report({ backends: [await health(), await health(hostile)] }));
    expect(await stored()).toMatchObject([{ players: "1000000000000" }]);
  });
});
