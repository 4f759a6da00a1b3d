import type { DoctorReport } from "@palisade/contract/http/server-setup";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import type { FakeRecord } from "@palisade/testing/fake-zone";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { runDoctor, setGroup } from "#src/test-support/doctor-steps.ts";
import {
  address,
  alias,
  codesOf,
  domainOf,
  healthy,
  online,
  createDoctorFixture,
  status,
  theOne,
  unseen,
  type DoctorFixture,
} from "#src/test-support/test-doctor.ts";
import { backendsMax, domainsMax, edgesMax } from "./doctor.service.ts";
import { findingOutcomes } from "./findings.ts";

let fixture: DoctorFixture;
/** Codes this file has made the doctor find. */
const found = new Set<string>();

beforeAll(async () => {
  fixture = await createDoctorFixture();
}, 60_000);
beforeEach(() => fixture.begin());
afterEach(() => fixture.closeStreams());
afterAll(() => fixture?.close());

async function examine(): Promise<DoctorReport> {
  const report = await runDoctor(fixture);
  for (const { code } of report.findings) found.add(code);
  return report;
}

describe("a backend", () => {
  test.each([
    ["refused", "listens on port 25565"],
    ["timeout", "allow TCP connections to port 25565"],
    ["unresolved", "Correct the host name"],
    ["forbidden", "public address"],
    ["not_minecraft", "Check the port"],
  ] as const)("that is %s has a finding with its fix", async (outcome, fix) => {
    await fixture.startEdge("ams", () => [unseen(false, outcome), unseen(true, outcome)]);
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(theOne(report, `backend.${outcome}`)).toMatchObject({ edge: "ams", outcome: "failed" });
    expect(theOne(report, `backend.${outcome}`).fix).toContain(fix);
    expect(codesOf(report).filter((code) => /^(proxy|version)/.test(code))).toEqual([]);
  });

  test("that an edge was too busy for, or did not answer for, is unknown and not failed", async () => {
    await fixture.startEdge("ams", () => [unseen(false, "skipped"), unseen(true, "skipped")]);
    await fixture.startEdge("fra", () => undefined);
    const report = await examine();
    expect(report.outcome).toBe("unknown");
    const edges = report.findings.filter(({ code }) => code === "backend.not_asked");
    expect(edges.map(({ edge }) => edge)).toEqual(["ams", "fra"]);
  });

  test("that answers only with a PROXY header, which the group does not send", async () => {
    await setGroup(fixture, { name: "Lobby" });
    await fixture.startEdge("ams", () => [unseen(false, "not_minecraft"), online(true)]);
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(theOne(report, "backend.online").outcome).toBe("ok");
    const { title, fix } = theOne(report, "proxy.required");
    expect(title).toContain("This server expects PROXY protocol. Turn it on for the group Lobby");
    expect(fix).toMatch(/^Turn PROXY protocol on for the group Lobby/);
  });

  test("that answers only without the PROXY header that the group sends", async () => {
    await setGroup(fixture, { proxy_protocol: true });
    await fixture.startEdge("ams", () => [online(false), unseen(true, "timeout")]);
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(theOne(report, "proxy.unexpected").fix).toContain("paper-global.yml");
    expect(codesOf(report).filter((code) => code.startsWith("origin."))).toEqual([]);
  });

  test("that answers only with the header the group sends is well", async () => {
    await setGroup(fixture, { proxy_protocol: true });
    await fixture.startEdge("ams", () => [unseen(false, "not_minecraft"), online(true)]);
    const report = await examine();
    expect(report.outcome).toBe("ok");
    expect(theOne(report, "origin.closed").edge).toBe(null);
  });

  test("that answers without the header as well can be reached past the edges: a warning", async () => {
    await setGroup(fixture, { proxy_protocol: true });
    await fixture.startEdge("ams", () => [online(false), online(true)]);
    const report = await examine();
    expect(report.outcome).toBe("warning");
    const { title, fix } = theOne(report, "origin.open");
    expect(title).toMatch(/^Anyone can reach 127\.0\.0\.1:25565 directly/);
    expect(fix).toMatch(/Let only the edges connect to port 25565.*Origin lockdown/);
  });

  test("with a public address and without PROXY protocol is a warning: anybody may reach it", async () => {
    await fixture.testApp.platform.db
      .updateTable("backends")
      .set({ host: "93.184.216.34" })
      .where("group_id", "in", (eb) =>
        eb.selectFrom("backend_groups").select("id").where("shield_id", "=", fixture.shield.id),
      )
      .execute();
    await fixture.startEdge("ams");
    const report = await examine();
    expect(report.outcome).toBe("warning");
    const { title, fix } = theOne(report, "origin.unproven");
    expect(title).toMatch(/^Anybody may be able to reach 93\.184\.216\.34:25565 past the edges/);
    expect(fix).toContain("Let only the edges connect to port 25565");
  });

  test("with a private address cannot be reached from the internet", async () => {
    await fixture.startEdge("ams");
    expect(theOne(await examine(), "origin.private").outcome).toBe("ok");
  });

  test("is well for another game if it accepts connections, whatever it answers", async () => {
    await setGroup(fixture, { game: "other", port: 30_000, is_default: false });
    await fixture.startEdge("ams", () => [unseen(false, "not_minecraft"), unseen(true, "refused")]);
    await fixture.startEdge("fra", () => [unseen(false, "refused"), unseen(true, "refused")]);
    const report = await examine();
    expect(theOne(report, "backend.open").edge).toBe("ams");
    expect(theOne(report, "backend.refused").edge).toBe("fra");
    expect(theOne(report, "backend.unproven").outcome).toBe("failed");
    expect(codesOf(report).filter((code) => /^(proxy|version|origin)/.test(code))).toEqual([]);
  });

  test.each([
    ["version.known", "ok", 47],
    ["version.old", "warning", 5],
    ["version.old", "warning", 78],
    ["version.newer", "warning", currentProtocol + 1],
    ["version.newer", "warning", 0x4000_0000 + 300],
    ["version.unknown", "unknown", -1],
    ["version.unknown", "unknown", 46],
  ])("of a version is told: %s (%s) for protocol %i", async (code, outcome, protocol) => {
    const own = online(false, status({ protocol }));
    await fixture.startEdge("ams", () => [own, unseen(true, "refused")]);
    const report = await examine();
    expect(report.outcome).toBe(outcome);
    expect(theOne(report, code).seen).toBe(`Paper 1.21.4 (${protocol})`);
  });

  test("is missing where the default group has none", async () => {
    await fixture.testApp.platform.db
      .deleteFrom("backends")
      .where("group_id", "in", (eb) =>
        eb.selectFrom("backend_groups").select("id").where("shield_id", "=", fixture.shield.id),
      )
      .execute();
    await fixture.startEdge("ams");
    const report = await examine();
    expect(report.outcome).toBe("failed");
    expect(theOne(report, "backend.none").title).toBe("There is no server in the group Default");
  });
});

describe("DNS", () => {
  const records = {
    "dns.missing": (): FakeRecord[] => [address(fixture.shield.cname_record)],
    "dns.points_elsewhere": () => [
      alias(domainOf(fixture.shield), "elsewhere.example.net"),
      address(fixture.shield.cname_record),
    ],
    "dns.addresses_only": () => [
      address(domainOf(fixture.shield)),
      address(fixture.shield.cname_record),
    ],
  };

  test.each([
    ["dns.missing", "failed"],
    ["dns.points_elsewhere", "failed"],
    ["dns.addresses_only", "warning"],
  ] as const)("%s is %s, with the record to create", async (code, outcome) => {
    fixture.zone.records = records[code]();
    await fixture.startEdge("ams");
    const report = await examine();
    expect(report.outcome).toBe(outcome);
    const { name, fix, edge } = theOne(report, code);
    expect({ name, edge }).toEqual({ name: domainOf(fixture.shield), edge: null });
    expect(fix).toContain(
      `a CNAME record for ${domainOf(fixture.shield)} with the value ${fixture.shield.cname_record}`,
    );
    if (code === "dns.addresses_only") {
      expect(fix).toMatch(/TXT record for _palisade\.\S+ with the value palisade-verification=/);
    }
  });

  test("a resolver that fails is unknown, not a missing record", async () => {
    fixture.zone.faults = { "*": "servfail" };
    await fixture.startEdge("ams");
    const report = await examine();
    expect(report.outcome).toBe("unknown");
    expect(theOne(report, "dns.unknown").outcome).toBe("unknown");
    expect(theOne(report, "dns.label_unknown").outcome).toBe("unknown");
  });

  test("a label without an address is told", async () => {
    fixture.zone.records = [alias(domainOf(fixture.shield), fixture.shield.cname_record)];
    await fixture.startEdge("ams");
    expect(theOne(await examine(), "dns.label_missing").name).toBe(fixture.shield.cname_record);
  });
});

describe("edges", () => {
  test("that lag behind or refuse the newest settings are told, with the reason", async () => {
    const [lagging, refusing] = [await fixture.startEdge("ams"), await fixture.startEdge("fra")];
    await fixture.testApp.platform.db
      .updateTable("shields")
      .set({ revision: 3 })
      .where("id", "=", fixture.shield.id)
      .execute();
    await fixture.acknowledge(lagging, 2, "applied");
    await fixture.acknowledge(refusing, 3, "rejected", "blacklist: no address");
    const report = await examine();
    expect(theOne(report, "edge.lagging")).toMatchObject({ edge: "ams", seen: "Revision 2 of 3" });
    expect(theOne(report, "edge.rejected")).toMatchObject({
      edge: "fra",
      seen: "blacklist: no address",
      outcome: "failed",
    });
  });

  test("that are offline are told; none online is an honest finding, not an error", async () => {
    await fixture.startEdge("ams");
    const gone = await fixture.startEdge("fra");
    const offline = () =>
      fixture.testApp.platform.db
        .updateTable("edges")
        .set({ last_seen_at: sql<Date>`clock_timestamp() - interval '10 minutes'` });
    await offline().where("id", "=", gone.id).execute();
    const one = await examine();
    expect(one.outcome).toBe("warning");
    expect(theOne(one, "edge.offline").edge).toBe("fra");

    await offline().execute();
    const none = await examine();
    expect(none.outcome).toBe("failed");
    expect(theOne(none, "edge.none").name).toBe("local");
    expect(codesOf(none).filter((code) => code === "edge.offline")).toHaveLength(2);
    expect(codesOf(none).filter((code) => code.startsWith("backend."))).toEqual([]);

    await fixture.revokeEdges();
    expect(theOne(await examine(), "edge.none").outcome).toBe("failed");
  });

  test("without VPN lists are a warning while anti-VPN is on", async () => {
    const { db } = fixture.testApp.platform;
    const shieldId = fixture.shield.id;
    await sql`
      update shields set pricing_plan_id = (select id from pricing_plans where slug = 'pro')
      where id = ${shieldId}
    `.execute(db);
    const without = await fixture.startEdge("ams");
    const withLists = await fixture.startEdge("fra");
    await db.updateTable("edges").set({ vpn_lists: false }).where("id", "=", without.id).execute();
    await db.updateTable("edges").set({ vpn_lists: true }).where("id", "=", withLists.id).execute();
    expect(codesOf(await examine())).not.toContain("edge.no_vpn_lists");
    await db
      .updateTable("shield_mitigation")
      .set({ settings: JSON.stringify({ anti_vpn: true }) })
      .where("shield_id", "=", shieldId)
      .execute();
    const finding = theOne(await examine(), "edge.no_vpn_lists");
    expect(finding).toMatchObject({ edge: "ams", outcome: "warning" });
    expect(finding.fix).toContain("VPN lists");
  });

  test("without a database for the shield's rules by country and network are a warning until these end", async () => {
    const { testApp, shield } = fixture;
    const { db } = testApp.platform;
    const edge = await fixture.startEdge("ams");
    const changed = db.updateTable("edges").set({ has_countries: false, has_networks: false });
    await changed.where("id", "=", edge.id).execute();
    const lacking = async () =>
      codesOf(await examine()).filter((code) => /no_(countries|networks)/.test(code));
    const rule = {
      shield_id: shield.id,
      action: "block",
      note: "",
      created_at: testApp.clock.now(),
    } as const;
    const ended = { ...rule, expires_at: testApp.clock.now() };
    const rules = db.insertInto("firewall_network_rules");
    await rules.values({ ...ended, id: newId(), country: "NL", asn: null }).execute();
    expect(await lacking()).toEqual([]);
    await rules
      .values({ ...rule, id: newId(), country: null, asn: "64496", expires_at: null })
      .execute();
    expect(await lacking()).toEqual(["edge.no_networks"]);
    await rules
      .values({ ...rule, id: newId(), country: "SE", asn: null, expires_at: null })
      .execute();
    expect(await lacking()).toEqual(["edge.no_countries", "edge.no_networks"]);
    expect(theOne(await examine(), "edge.no_countries")).toMatchObject({
      edge: "ams",
      outcome: "warning",
    });
    await db.updateTable("edges").set({ has_countries: true, has_networks: true }).execute();
    expect(await lacking()).toEqual([]);
  });

  test.each(["expired", "blocked"] as const)(
    "turn players away for a shield that is %s",
    async (state) => {
      await fixture.startEdge("ams");
      await fixture.testApp.platform.db
        .updateTable("shields")
        .set({ status: state })
        .where("id", "=", fixture.shield.id)
        .execute();
      const report = await examine();
      expect(theOne(report, `edge.${state}`).outcome).toBe("failed");
    },
  );
});

describe("the number of checks", () => {
  test("is bounded, and the report says so", async () => {
    const { db } = fixture.testApp.platform;
    const group = await db
      .selectFrom("backend_groups")
      .select("id")
      .where("shield_id", "=", fixture.shield.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("backends")
      .values(
        Array.from({ length: backendsMax }, (_, n) => ({
          id: newId(),
          group_id: group.id,
          host: `10.0.0.${n + 1}`,
          port: 25_565,
          created_at: new Date(),
        })),
      )
      .execute();
    await db
      .insertInto("shield_domains")
      .values(
        Array.from({ length: domainsMax }, (_, n) => ({
          id: newId(),
          shield_id: fixture.shield.id,
          name: `d${n}.example.test`,
          created_at: new Date(Date.now() + 1_000),
          verified_at: null,
        })),
      )
      .execute();
    const probes: string[] = [];
    for (let n = 0; n <= edgesMax; n++) {
      await fixture.startEdge(`edge${n}`, ({ host }) => {
        probes.push(`${n} ${host}`);
        return healthy;
      });
    }
    const report = await examine();
    expect(new Set(probes).size).toBe(edgesMax * backendsMax);
    expect(probes).toHaveLength(edgesMax * backendsMax);
    const codes = codesOf(report);
    expect(codes.filter((code) => code === "backend.online")).toHaveLength(edgesMax * backendsMax);
    expect(codes.filter((code) => code === "edge.current")).toHaveLength(edgesMax);
    expect(codes.filter((code) => code === "version.known")).toHaveLength(backendsMax);
    const title = (code: string) => theOne(report, code).title;
    expect(title("backend.capped")).toBe("Only the first 6 of 7 servers were checked");
    expect(title("edge.capped")).toBe("Only the first 6 of 7 edges were checked");
    expect(title("dns.capped")).toBe("Only the first 10 of 11 domains were checked");
  });

  test("every finding is tested above", () => {
    // Bedrock has a file of its own.
    const codes = Object.keys(findingOutcomes).filter((code) => !code.startsWith("bedrock."));
    expect([...found].toSorted()).toEqual(codes.toSorted());
  });
});
