import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import { tailLine, type TailLine } from "@palisade/contract/http/logs";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { mmdbOf } from "@palisade/testing/mmdb";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLoginReports, loginEntry } from "#src/test-support/login-entry.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
} from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { idAt } from "./log-tail.service.ts";
import { playerErasure } from "./logs.jobs.ts";

let folder: TemporaryFolder;
let testApp: TestApp;
let edge: TestEdge;
let report: ReturnType<typeof createLoginReports>;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  folder = await createTemporaryFolder("places");
  const addressDatabases = ["country", "network"].map((name) =>
    path.join(folder.path, `${name}.mmdb`),
  );
  await writeFile(
    addressDatabases[0] ?? "",
    mmdbOf(
      [
        ["203.0.113.0/24", { country: { iso_code: "DE" } }],
        ["198.51.100.0/24", { country: { iso_code: "FR" } }],
      ],
      { databaseType: "GeoLite2-Country" },
    ),
  );
  await writeFile(
    addressDatabases[1] ?? "",
    mmdbOf(
      [
        [
          "203.0.113.0/24",
          { autonomous_system_number: 64_500, autonomous_system_organization: "Example Telecom" },
        ],
      ],
      { databaseType: "GeoLite2-ASN" },
    ),
  );
  testApp = await createTestApp({ config: { addressDatabases } });
  testApp.clock.set(new Date());
  edge = await enrolEdge(testApp, await createStaff(testApp), { name: "fra-1" });
  report = createLoginReports(testApp, edge);
});
afterAll(async () => {
  await testApp?.close();
  await folder?.remove();
});
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});

const secondsAgo = (seconds: number) =>
  new Date(testApp.clock.nowMs() - seconds * 1000).toISOString();

const tell = (...logins: readonly Partial<LoginEntry>[]) =>
  report(
    logins.map((login) =>
      loginEntry({ at: secondsAgo(1), shield_id: shieldId, host: "mc.example.com", ...login }),
    ),
  );

const ask = (
  query: Record<string, string>,
  user = owner,
  route: RouteDefinition = routes.logs.listLogEntries,
) => call(testApp, route, { token: user.token, params: { id: shieldId }, query });

async function entries(query: Record<string, string> = {}, user = owner) {
  const answer = await ask(query, user);
  expect([answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([200, ""]);
  return routes.logs.listLogEntries.response.parse(answer.json());
}

const playersOf = async (query: Record<string, string>, user = owner) =>
  (await entries(query, user)).data.map(({ player }) => player);

async function viewer(rights?: object): Promise<TestUser> {
  const user = await createUser(testApp);
  await addMember(testApp, shieldId, user);
  await testApp.platform.db
    .updateTable("shield_members")
    .set(
      rights === undefined
        ? { member_role: "viewer" }
        : { member_role: "custom", rights: JSON.stringify(rights) },
    )
    .where("user_id", "=", user.id)
    .execute();
  return user;
}

/** As another shield's flood, older than all that is told: the newest entries do not hold it. */
async function addMany(count: number): Promise<void> {
  await sql`
    insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip, protocol,
      host, trace, facts)
    select gen_random_uuid(), ${shieldId}::uuid, now() - interval '1 minute' - n * interval '4 s',
      ${edge.id}::uuid, 'joined', false, 'Bot' || n, '192.0.2.0'::inet + n % 250, 765,
      'play.example.com', lpad(n::text, 8, '0'), '{}'
    from generate_series(1, ${count}::integer) n
  `.execute(testApp.platform.db);
}

describe("the search of the log", () => {
  test("finds parts of names, domains and trace codes, in any case, and wildcards as themselves", async () => {
    await tell(
      { player: "Anna_1", trace: "AB12CD34", at: secondsAgo(4) },
      { player: "Bob", host: "play.other.net", at: secondsAgo(3) },
      { player: "100%er", at: secondsAgo(2) },
    );
    expect(await playersOf({ q: "nna_" })).toEqual(["Anna_1"]);
    expect(await playersOf({ q: "OTHER" })).toEqual(["Bob"]);
    expect(await playersOf({ q: "12cd" })).toEqual(["Anna_1"]);
    expect(await playersOf({ q: "00%e" })).toEqual(["100%er"]);
    expect((await ask({ q: "a_." })).statusCode).toBe(422);
    expect(await playersOf({ q: "an%a" })).toEqual([]);
    // A name and a domain that stand beside each other are no text together.
    expect(await playersOf({ q: "bobplay" })).toEqual([]);
  });

  test.each(["AB12CD34", "ab12cd34", " ab12 cd34 ", "AB12-CD34", "abI2cd34"])(
    "finds the trace code %j as a player writes it",
    async (written) => {
      await tell({ player: "Anna", trace: "AB12CD34" }, { player: "Bob", trace: "ZZZZZZZZ" });
      expect(await playersOf({ trace: written })).toEqual(["Anna"]);
      expect(await playersOf({ q: written })).toEqual(["Anna"]);
    },
  );

  test("finds addresses by range, begin, country and domain, and looks up their networks", async () => {
    await tell(
      { player: "Anna", ip: "203.0.113.7", at: secondsAgo(4) },
      { player: "Bob", ip: "198.51.100.9", at: secondsAgo(3), host: "Play.Other.net" },
      { player: "Cy", ip: "2001:db8:1:2::9", at: secondsAgo(2) },
    );
    expect(await playersOf({ ip: "203.0.113.0/24" })).toEqual(["Anna"]);
    expect(await playersOf({ ip: "203.0.113.99/24" })).toEqual(["Anna"]);
    expect(await playersOf({ ip: "2001:db8::/32" })).toEqual(["Cy"]);
    expect(await playersOf({ ip: "0.0.0.0/0" })).toEqual(["Bob", "Anna"]);
    expect(await playersOf({ q: "198.51" })).toEqual(["Bob"]);
    expect(await playersOf({ q: "2001:db8:1:" })).toEqual(["Cy"]);
    expect(await playersOf({ country: "de" })).toEqual(["Anna"]);
    expect(await playersOf({ host: "play.OTHER.net" })).toEqual(["Bob"]);
    const { data, places } = await entries();
    expect(places).toBe(true);
    expect(data.map(({ country, network }) => [country, network])).toEqual([
      [null, null],
      ["FR", null],
      ["DE", { asn: 64_500, name: "Example Telecom" }],
    ]);
  });

  test("groups verdicts, and keeps to times", async () => {
    await tell(
      { player: "In", verdict: "verified", at: secondsAgo(40) },
      { player: "Out", verdict: "rate", at: secondsAgo(30) },
      { player: "Left", verdict: "left", at: secondsAgo(20) },
      { player: "Lucky", verdict: "vpn", shadow: true, at: secondsAgo(10) },
    );
    expect(await playersOf({ verdict: "admitted" })).toEqual(["In"]);
    expect(await playersOf({ verdict: "refused" })).toEqual(["Out"]);
    expect(await playersOf({ verdict: "shadowed" })).toEqual(["Lucky"]);
    expect(await playersOf({ from: secondsAgo(30), to: secondsAgo(10) })).toEqual(["Left", "Out"]);
  });

  test("tells the editions apart: numbers of Bedrock are no versions of Java", async () => {
    const facts = { edition: "bedrock", protocol: "766" };
    await tell(
      { player: "Anna", protocol: 769, at: secondsAgo(4) },
      { player: "Bea", protocol: 0, facts, at: secondsAgo(3) },
      { player: "", protocol: 0, facts: { edition: "bedrock" }, at: secondsAgo(2) },
      { player: "Cy", protocol: 0, facts: { ...facts, protocol: "1e99" }, at: secondsAgo(1) },
    );
    expect(await playersOf({ edition: "bedrock" })).toEqual(["Cy", "", "Bea"]);
    expect(await playersOf({ edition: "java" })).toEqual(["Anna"]);
    expect(await playersOf({ edition: "bedrock", player: "bea" })).toEqual(["Bea"]);
    expect((await ask({ edition: "pocket" })).statusCode).toBe(422);
    const { data } = await entries();
    expect(data.map(({ edition, version, protocol }) => [edition, version, protocol])).toEqual([
      ["bedrock", null, 0],
      ["bedrock", null, 0],
      ["bedrock", null, 766],
      ["java", "1.21.4", 769],
    ]);
  });

  test("says in words whether the address or the name is on the blacklist", async () => {
    await tell(
      { player: "Griefer", verdict: "blacklist", facts: { entry: "name" }, at: secondsAgo(2) },
      { player: "Other", verdict: "blacklist", at: secondsAgo(3) },
    );
    const { data } = await entries();
    expect(data.map(({ player, reason }) => `${player}: ${reason}`)).toEqual([
      "Griefer: The player's name is on the blacklist",
      "Other: The address is on the blacklist",
    ]);
  });

  test("finds the rare behind many others, page by page and once each", async () => {
    await addMany(12_000);
    const rare = Array.from({ length: 130 }, (_, n) => ({
      player: `Rare${n}`,
      verdict: "rate" as const,
      ip: `203.0.113.${n}`,
      // Behind the newest ten thousand, and over days.
      at: secondsAgo(44_000 + n * 60),
    }));
    await tell(...rare, { player: "Rarest", verdict: "vpn", ip: "203.0.113.250" });
    for (const query of [{ q: "rare" }, { ip: "203.0.113.0/24" }, { verdict: "refused" }]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await entries({ ...query, ...(cursor !== "" && { cursor }) });
        seen.push(...page.data.map(({ player }) => player));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(["Rarest", ...rare.map(({ player }) => player)]);
    }
  });

  test("its pages stay as they are while entries arrive", async () => {
    await tell(
      ...Array.from({ length: 150 }, (_, n) => ({ player: `P${n}`, at: secondsAgo(600) })),
    );
    const first = await entries();
    await tell({ player: "New" }, { player: "Newer" });
    const second = await entries({ cursor: first.next_cursor ?? "" });
    const ids = new Set([...first.data, ...second.data].map(({ id }) => id));
    expect([ids.size, second.next_cursor]).toEqual([150, null]);
    expect(second.data.map(({ player }) => player)).not.toContain("New");
  });
});

describe("a member without the right to addresses", () => {
  const facts = { network: "203.0.113.0/24 of 2001:db8::1", limit: "20/s", at: "12:30:05" };

  test("sees them shortened, in the list, the tail and the exported file", async () => {
    await tell({ facts }, { player: "Six", ip: "2001:db8:1:2::9", at: secondsAgo(3) });
    const user = await viewer();
    const page = await entries({}, user);
    expect(page.addresses).toBe(false);
    expect(page.data.map(({ ip }) => ip)).toEqual(["203.0.*.*", "2001:db8:*"]);
    expect(page.data[0]?.facts["network"]).toBe("203.0.*.* of 2001:db8:*");
    expect(page.data[0]?.facts["limit"]).toBe("20/s");
    const after = { seconds: "0", after: idAt(Date.now() - 60_000) };
    for (const answer of [
      await ask({}, user, routes.logs.exportLogEntries),
      await ask(after, user, routes.logs.tailLogEntries),
    ]) {
      expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining("203.0.*.*")]);
      expect(answer.body).not.toMatch(/203\.0\.113|1:2::9/);
    }
  });

  test("cannot find them out by a filter or the search", async () => {
    await tell({ ip: "203.0.113.7" });
    const user = await viewer();
    for (const route of [routes.logs.listLogEntries, routes.logs.exportLogEntries]) {
      for (const ip of ["203.0.113.7", "203.0.113.0/24"]) {
        const answer = await ask({ ip }, user, route);
        expect([answer.statusCode, answer.json().code]).toEqual([403, "forbidden"]);
      }
    }
    expect(await playersOf({ q: "203.0.113.7" }, user)).toEqual([]);
    expect(await playersOf({ q: "203.0" }, user)).toEqual([]);
    const seeing = await viewer({ logs: "view", addresses: "view" });
    expect(await playersOf({ q: "203.0" }, seeing)).toEqual(["Notch"]);
  });
});

describe("the live tail", () => {
  const follow = async (query: Record<string, string>, user = owner): Promise<TailLine[]> => {
    const answer = await ask(query, user, routes.logs.tailLogEntries);
    expect(answer.statusCode).toBe(200);
    return answer.body
      .trimEnd()
      .split("\n")
      .map((line) => tailLine.parse(JSON.parse(line)));
  };
  const playersIn = (lines: readonly TailLine[]) =>
    lines.flatMap((line) => (line.kind === "entries" ? line.entries : [])).map((e) => e.player);

  test("brings entries that any process stores, each once, and only those that match", async () => {
    const tail = follow({ seconds: "2", after: idAt(Date.now()), verdict: "admitted" });
    await tell({ player: "One" }, { player: "Bot", verdict: "rate" });
    await tell({ player: "Two", at: secondsAgo(90) });
    const lines = await tail;
    expect(playersIn(lines).toSorted()).toEqual(["One", "Two"]);
    expect(lines.at(-1)).toEqual({ kind: "end" });
  });

  test("goes on after the last entry that was received", async () => {
    await tell({ player: "Old" });
    const [old] = (await entries()).data;
    await tell({ player: "New" });
    expect(playersIn(await follow({ seconds: "0", after: old?.id ?? "" }))).toEqual(["New"]);
  });

  test("never brings those of another shield, and serves only some at once", async () => {
    const stranger = await createUser(testApp);
    const id = (await createShield(testApp, stranger)).id;
    await tell({ player: "Mine" });
    const others = await call(testApp, routes.logs.tailLogEntries, {
      token: stranger.token,
      params: { id },
      query: { seconds: "0", after: idAt(Date.now() - 60_000) },
    });
    expect(others.body).not.toContain("Mine");
    const tails = Array.from({ length: 6 }, () =>
      ask({ seconds: "1" }, owner, routes.logs.tailLogEntries),
    );
    const codes = (await Promise.all(tails)).map(({ statusCode }) => statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429]);
  });
});

describe("the exported log", () => {
  test("has the filtered rows with the reason in words, and no formulas", async () => {
    await tell(
      { player: "=1+1", verdict: "rate", at: secondsAgo(4) },
      { player: "Notch", at: secondsAgo(3) },
    );
    const { body, headers } = await ask(
      { verdict: "refused" },
      owner,
      routes.logs.exportLogEntries,
    );
    expect(headers["content-disposition"]).toBe('attachment; filename="log.csv"');
    const [names, row, ...rest] = body.split("\r\n");
    expect(names).toMatch(/^at,verdict,reason,shadow,player,ip,country,asn/);
    expect(row).toContain(
      ",rate,Too many logins from one address or its network,no,'=1+1,203.0.113.7,DE,64500,Example",
    );
    expect(rest).toEqual([""]);
  });

  test("has the suspicion with its signals, also those of a later edge, and the check that was spared", async () => {
    const parts = { no_ping: 15, of_a_later_edge: 25 };
    await tell({
      verdict: "joined",
      shadow: true,
      attempt: { score: 40, parts, would_challenge: "protocol" },
    });
    const { body } = await ask({ verdict: "shadowed" }, owner, routes.logs.exportLogEntries);
    const [names, row] = body.split("\r\n");
    expect(names).toMatch(/,facts,suspicion,signals,would_challenge$/);
    expect(row).toContain(",joined,Would have had to pass a check before joining,yes,");
    expect(row).toMatch(/,40,no_ping=15; of_a_later_edge=25,protocol$/);
  });

  test("is whole over many pages", async () => {
    await addMany(2_500);
    const { body } = await ask({}, owner, routes.logs.exportLogEntries);
    const rows = body.trimEnd().split("\r\n").slice(1);
    expect([rows.length, new Set(rows).size]).toEqual([2_500, 2_500]);
  });
});

test("erasing a player takes all of their entries, in any case, and no others", async () => {
  await tell({ player: "Anna" }, { player: "ANNA" }, { player: "Anna2" });
  const other = await createUser(testApp);
  const shieldOfOther = (await createShield(testApp, other)).id;
  await tell({ player: "Anna", shield_id: shieldOfOther });
  const answer = await call(testApp, routes.logs.erasePlayer, {
    token: owner.token,
    params: { id: shieldId },
    body: { player: "anna" },
  });
  expect(answer.json()).toEqual({
    message: "anna is erased from the log",
    erased: 2,
    finished: true,
  });
  expect(await playersOf({})).toEqual(["Anna2"]);
  const { rows } = await sql`select from login_entries where shield_id = ${shieldOfOther}`.execute(
    testApp.platform.db,
  );
  expect(rows).toHaveLength(1);
  await addMany(10_500);
  await sql`update login_entries set player = 'Anna' where shield_id = ${shieldId}`.execute(
    testApp.platform.db,
  );
  await playerErasure(testApp.platform.db).run({ shieldId, player: "ANNA" });
  expect(await playersOf({})).toEqual([]);
});

test("the interval is each member's own", async () => {
  const user = await viewer();
  const settings = async ({ token }: TestUser) => {
    const answer = await call(testApp, routes.logs.getLogSettings, {
      token,
      params: { id: shieldId },
    });
    return routes.logs.getLogSettings.response.parse(answer.json());
  };
  for (const seconds of [30, 60] as const) {
    const answer = await call(testApp, routes.logs.updateLogSettings, {
      token: user.token,
      params: { id: shieldId },
      body: { logs_refresh_interval: seconds },
    });
    expect(answer.json()).toMatchObject({
      message: "Interval updated",
      logs: { logs_refresh_interval: seconds },
    });
  }
  expect((await settings(user)).logs_refresh_interval_display).toBe("Every minute");
  expect(await settings(owner)).toMatchObject({
    logs_refresh_interval: 10,
    available_intervals: { 0: "Off", 5: "Every 5 seconds" },
  });
  const refused = await call(testApp, routes.logs.updateLogSettings, {
    token: user.token,
    params: { id: shieldId },
    body: { logs_refresh_interval: 7 },
  });
  expect(refused.statusCode).toBe(422);
});
