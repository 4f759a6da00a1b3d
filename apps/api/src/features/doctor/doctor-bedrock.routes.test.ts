import type { ProbeAttempt, ProbeRequest, ProbeResult } from "@palisade/contract/edge/probe";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { runDoctor } from "#src/test-support/doctor-steps.ts";
import {
  codesOf,
  createDoctorFixture,
  online,
  status,
  theOne,
  unseen,
  type DoctorFixture,
} from "#src/test-support/test-doctor.ts";
import { createUser } from "#src/test-support/test-users.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { findingOutcomes } from "./findings.ts";

let fixture: DoctorFixture;
/** Codes this file has made the doctor find. */
const found = new Set<string>();
const port = 24_817;
const server = "127.0.0.1:19133";

beforeAll(async () => {
  fixture = await createDoctorFixture();
}, 60_000);
beforeEach(async () => {
  await fixture.begin();
  await fixture.testApp.platform.db.deleteFrom("bedrock_ports").execute();
});
afterEach(() => fixture.closeStreams());
afterAll(() => fixture?.close());

interface SetUp {
  readonly enabled?: boolean;
  readonly ports?: readonly number[];
  readonly bedrockPort?: number | null;
  readonly proxy?: "off" | "first" | "every";
}

async function setUp({
  enabled = true,
  ports = [port],
  bedrockPort = 19_133,
  proxy = "first",
}: SetUp = {}): Promise<void> {
  const { db } = fixture.testApp.platform;
  const shieldId = fixture.shield.id;
  await sql`
    update shields set pricing_plan_id = (select id from pricing_plans where slug = 'pro')
    where id = ${shieldId}
  `.execute(db);
  await db
    .insertInto("shield_bedrock")
    .values({ shield_id: shieldId, enabled })
    .onConflict((conflict) => conflict.column("shield_id").doUpdateSet({ enabled }))
    .execute();
  for (const each of ports) {
    await db
      .insertInto("bedrock_ports")
      .values({
        id: newId(),
        shield_id: shieldId,
        port: each,
        location: null,
        created_at: new Date(),
      })
      .execute();
  }
  await db
    .updateTable("backends")
    .set({ bedrock_port: bedrockPort, bedrock_proxy: proxy })
    .where("group_id", "in", (eb) =>
      eb.selectFrom("backend_groups").select("id").where("shield_id", "=", shieldId),
    )
    .execute();
}

const bedrock = status({ version: "1.21.50", protocol: 766 });

type OwnOutcome = NonNullable<ProbeResult["bedrock"]>["own_ports"][number]["outcome"];

/** An edge that has seen this of Bedrock. */
function startEdge(
  attempts: readonly ProbeAttempt[] = [unseen(false, "timeout"), online(true, bedrock)],
  outcome: OwnOutcome = "online",
  name = "ams",
) {
  return fixture.startEdge(name, undefined, {
    bedrock: ({ bedrock: asked }) =>
      asked === undefined
        ? null
        : {
            attempts: asked.port === null ? [] : [...attempts],
            own_ports: asked.own_ports.map((own) => ({ port: own, outcome })),
          },
  });
}

async function examine(user = fixture.owner, locale = "en") {
  const report = await runDoctor(fixture, user, locale);
  const own = report.findings.filter(({ subject }) => subject === "bedrock");
  for (const { code } of own) found.add(code);
  return { ...report, findings: own };
}

const bothWays = (outcome: ProbeAttempt["outcome"]) => [
  unseen(false, outcome),
  unseen(true, outcome),
];

describe("a shield with Bedrock on", () => {
  test("is well where its ports answer and its server takes the header that it gets", async () => {
    await setUp();
    await startEdge();
    const report = await examine();
    expect(report.outcome).toBe("ok");
    expect(codesOf(report)).toEqual([
      "bedrock.port_answers",
      "bedrock.online",
      "bedrock.proxy_matches",
      "bedrock.version",
    ]);
    expect(theOne(report, "bedrock.port_answers")).toMatchObject({
      name: `${fixture.shield.cname_record}:${port}`,
      edge: "ams",
    });
    expect(theOne(report, "bedrock.online")).toMatchObject({
      name: server,
      edge: "ams",
      seen: "1.21.50, 12/100 players, 8 ms",
    });
    expect(theOne(report, "bedrock.version").seen).toBe("1.21.50 (766)");
  });

  test("asks for its own ports and its own servers alone, its ports once from each edge", async () => {
    const other = await fixture.createShield();
    const { db } = fixture.testApp.platform;
    await setUp({ ports: [port, port + 1] });
    await db
      .insertInto("bedrock_ports")
      .values({
        id: newId(),
        shield_id: other.id,
        port: port + 2,
        location: null,
        created_at: new Date(),
      })
      .execute();
    const group = await db
      .selectFrom("backend_groups")
      .select("id")
      .where("shield_id", "=", fixture.shield.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("backends")
      .values({
        id: newId(),
        group_id: group.id,
        host: "10.0.0.9",
        port: 25_565,
        created_at: new Date(),
      })
      .execute();
    const asked: ProbeRequest["bedrock"][] = [];
    await fixture.startEdge("ams", undefined, {
      bedrock: (request) => {
        asked.push(request.bedrock);
        return null;
      },
    });
    await examine();
    expect(asked).toHaveLength(2);
    expect(asked).toEqual(
      expect.arrayContaining([
        { port: 19_133, own_ports: [port, port + 1] },
        { port: null, own_ports: [] },
      ]),
    );
  });

  test.each([
    ["refused", "Start Geyser"],
    ["timeout", "allow UDP"],
    ["unresolved", "Correct the host name"],
    ["forbidden", "public address"],
    ["not_minecraft", "port of Geyser"],
  ] as const)("and a server that is %s has a finding with its fix", async (outcome, fix) => {
    await setUp();
    await startEdge(bothWays(outcome));
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(theOne(report, `bedrock.${outcome}`)).toMatchObject({
      edge: "ams",
      fix: expect.stringContaining(fix),
    });
    expect(codesOf(report).filter((code) => /proxy|version/.test(code))).toEqual([]);
  });

  test("is told, if its server expects a header that it does not get, where to turn it on", async () => {
    await setUp({ proxy: "off" });
    await startEdge([unseen(false, "timeout"), online(true, bedrock)]);
    const report = await examine();
    expect(report.outcome).toBe("failed");
    const { fix } = theOne(report, "bedrock.proxy_required");
    expect(fix).toContain('"First datagram (Geyser)"');
    expect(fix).toContain("use-haproxy-protocol: false");
  });

  test.each(["first", "every"] as const)(
    "is told, if its server does not expect the header that it gets (%s), where to turn it on or off",
    async (proxy) => {
      await setUp({ proxy });
      await startEdge([online(false, bedrock), unseen(true, "timeout")]);
      const report = await examine();
      expect(report.outcome).toBe("failed");
      const { fix } = theOne(report, "bedrock.proxy_unexpected");
      expect(fix).toContain("use-haproxy-protocol: true");
      expect(fix).toContain('"Off"');
    },
  );

  test("is unknown, not failed, if its server names no version", async () => {
    await setUp({ proxy: "off" });
    await startEdge([online(false, status({ version: "", protocol: 0 })), unseen(true, "timeout")]);
    const report = await examine();
    expect(report.outcome).toBe("unknown");
    expect(theOne(report, "bedrock.version_unknown").name).toBe(server);
  });

  test.each([
    ["1.20.0", 589, "bedrock.version", "ok"],
    ["1.19.80", 582, "bedrock.version_old", "warning"],
    ["1.26.45", 2169, "bedrock.version", "ok"],
    ["1.26.51", 2193, "bedrock.version_newer", "warning"],
  ] as const)("that runs %s (%i) is told %s", async (version, protocol, code, outcome) => {
    await setUp({ proxy: "off" });
    await startEdge([online(false, status({ version, protocol })), unseen(true, "timeout")]);
    const report = await examine();
    expect(report.outcome).toBe(outcome);
    const { title, seen } = theOne(report, code);
    expect(title).toContain(version);
    expect(seen).toBe(`${version} (${protocol})`);
  });

  test.each(["closed", "timeout"] as const)("and a port that is %s is told", async (outcome) => {
    await setUp();
    await startEdge(undefined, outcome);
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(theOne(report, "bedrock.port_silent").fix).toContain(`delete port ${port}`);
  });

  test("without a port or a server for it is told what is missing", async () => {
    await setUp({ ports: [], bedrockPort: null });
    await startEdge();
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(codesOf(report)).toEqual(["bedrock.no_ports", "bedrock.no_server"]);
    expect(theOne(report, "bedrock.no_server").fix).toContain("Backends section");
  });

  test("is not checked by edges that are too busy: unknown", async () => {
    await setUp();
    await startEdge(bothWays("skipped"), "skipped", "fra");
    const report = await examine();
    expect(report.outcome).toBe("unknown");
    expect(codesOf(report).toSorted()).toEqual(["bedrock.not_asked", "bedrock.port_not_asked"]);
  });

  test("is told about in Russian, to sub-users too", async () => {
    await setUp({ proxy: "off" });
    const member = await createUser(fixture.testApp);
    await addMember(fixture.testApp, fixture.shield.id, member);
    await startEdge();
    const { title, fix } = theOne(await examine(member, "ru"), "bedrock.proxy_required");
    expect(title).toBe(`${server} ожидает PROXY protocol для Bedrock, а здесь он выключен`);
    expect(fix).toContain("use-haproxy-protocol: false");
  });
});

describe("a shield without Bedrock", () => {
  test.each([
    ["off", "pro"],
    ["not in the plan", "free"],
  ])("is asked nothing about it: %s", async (what, slug) => {
    await setUp({ enabled: what !== "off" });
    await sql`
      update shields set pricing_plan_id = (select id from pricing_plans where slug = ${slug})
      where id = ${fixture.shield.id}
    `.execute(fixture.testApp.platform.db);
    const asked: ProbeRequest["bedrock"][] = [];
    await fixture.startEdge("ams", undefined, {
      bedrock: (request) => {
        asked.push(request.bedrock);
        return null;
      },
    });
    expect((await examine()).findings).toEqual([]);
    expect(asked).toEqual([undefined]);
  });
});

test("every finding is tested above", () => {
  const codes = Object.keys(findingOutcomes).filter((code) => code.startsWith("bedrock."));
  expect([...found].toSorted()).toEqual(codes.toSorted());
});
