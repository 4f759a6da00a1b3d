import { listEntriesMax } from "@palisade/contract/http/firewall-entry";
import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { describe, expect, test } from "vitest";
import { eachTestHasAShield } from "#src/test-support/shield-of-each-test.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

eachTestHasAShield((current) => {
  ({ testApp, owner, shieldId } = current);
});

function put(body: Readonly<Record<string, unknown>>) {
  return call(testApp, routes.firewall.importFirewall, {
    token: owner.token,
    params: { id: shieldId },
    body: { type: "blacklist", mode: "merge", ...body },
  });
}

async function imported(body: Readonly<Record<string, unknown>>) {
  const answer = await expectStatus(put(body), 200);
  return routes.firewall.importFirewall.response.parse(answer.json());
}

function list(type: "blacklist" | "whitelist") {
  return call(testApp, routes.firewall.exportFirewall, {
    token: owner.token,
    params: { id: shieldId },
    query: { type },
  });
}

function clear(type: string) {
  return call(testApp, routes.firewall.clearFirewallList, {
    token: owner.token,
    params: { id: shieldId, type },
  });
}

async function compiledLists() {
  const row = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("schema", "=", configSchemaVersion)
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
  return shieldConfig.parse(JSON.parse(row.config)).lists;
}

const many = (count: number, net = 10) =>
  Array.from(
    { length: count },
    (_, n) => `${net}.${Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`,
  );

describe("import", () => {
  test("adds what is new, in one spelling, and says by line what it could not read", async () => {
    await imported({ text: "192.0.2.1" });
    const text =
      "ip,note\n192.0.2.1,old\n10.1.2.3/8,net\nunknown,x\n2001:DB8::1,six\n10.0.0.0/8,again";
    const { message, revision, report } = await imported({ text });
    expect(report).toEqual({
      added: 2,
      existing: 2,
      changed: 1,
      removed: 0,
      skipped: 0,
      invalid: 1,
      invalid_entries: [{ line: 4, text: "unknown" }],
    });
    expect(message).toBe("Import finished. Added: 2, already there: 2, invalid: 1");
    expect(revision).toBe(3);
    expect((await compiledLists()).blacklist.toSorted()).toEqual([
      "10.0.0.0/8",
      "192.0.2.1",
      "2001:db8::1",
    ]);
  });

  test("in place of a list keeps what stays as it is, and leaves the other list alone", async () => {
    await imported({ text: "192.0.2.1 192.0.2.2" });
    await imported({ type: "whitelist", text: "192.0.2.9" });
    testApp.clock.advance(60_000);
    const { report } = await imported({ mode: "replace", entries: ["192.0.2.2", "192.0.2.3"] });
    expect(report).toMatchObject({ added: 1, existing: 1, removed: 1 });
    const rows = (await list("blacklist")).body.trim().split("\r\n").slice(1);
    const [newer, older] = rows.map((row) => row.split(","));
    expect([newer?.[0], older?.[0]]).toEqual(["192.0.2.3", "192.0.2.2"]);
    expect(Date.parse(newer?.[1] ?? "") - Date.parse(older?.[1] ?? "")).toBe(60_000);
    expect((await compiledLists()).whitelist).toEqual(["192.0.2.9"]);
  });

  test("in place of a list keeps entries that came with blanks around them", async () => {
    await imported({ text: "192.0.2.1 192.0.2.2" });
    const entries = ["192.0.2.1\r", " Steve\t"];
    const { report } = await imported({ mode: "replace", entries });
    expect(report).toMatchObject({ added: 1, existing: 1, removed: 1, invalid: 0 });
    expect(await compiledLists()).toMatchObject({
      blacklist: ["192.0.2.1"],
      blacklist_names: ["steve"],
    });
  });

  test.each([
    ["nothing readable", { mode: "replace", text: "no-name\nhi" }, "text"],
    ["nothing at all", { mode: "replace", text: "" }, "text"],
    ["no list", { text: "192.0.2.1", type: "greylist" }, "type"],
    ["no mode", { text: "192.0.2.1", mode: "append" }, "mode"],
    ["text and entries", { text: "192.0.2.1", entries: ["192.0.2.1"] }, "text"],
    ["neither", {}, "text"],
  ])("with %s is refused and takes nothing away", async (_, body, path) => {
    await imported({ text: "192.0.2.7" });
    const answer = await put(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path });
    expect((await compiledLists()).blacklist).toEqual(["192.0.2.7"]);
  });

  test("takes names as a game server keeps them, each once without regard to case", async () => {
    const players = [
      { uuid: "0b54d4f1-4ce9-46b3-a723-4ffdeeae3d7d", name: "Griefer_1", reason: "spawn" },
      { uuid: "7fd6bc3e-5fc4-4cd4-8c0f-ed4a4a0b5d5b", name: "GRIEFER_1" },
      { ip: "192.0.2.8", name: "Steve" },
    ];
    const { report } = await imported({ text: JSON.stringify(players) });
    expect(report).toMatchObject({ added: 2, existing: 1, invalid: 0 });
    expect(await compiledLists()).toMatchObject({
      blacklist: ["192.0.2.8"],
      blacklist_names: ["griefer_1"],
    });
    const { body } = await list("blacklist");
    expect(body).toMatch(/\r\n,[^,]+,GRIEFER_1,,\r\n/);
    const copy = await imported({ type: "whitelist", text: body });
    expect(copy.report).toMatchObject({ added: 2, invalid: 0 });
    const again = await imported({ mode: "replace", entries: ["griefer_1", "Alex"] });
    expect(again.report).toMatchObject({ added: 1, existing: 1, removed: 1 });
    expect(await compiledLists()).toMatchObject({
      blacklist: [],
      blacklist_names: ["alex", "griefer_1"],
      whitelist_names: ["griefer_1"],
    });
  });

  test("is all or nothing where the list would be too long", async () => {
    await imported({ text: many(listEntriesMax - 1).join("\n") });
    for (const text of [
      "192.0.2.1\nSteve",
      "192.0.2.1\n192.0.2.2",
      many(listEntriesMax + 1, 11).join(" "),
    ]) {
      const answer = await put({ text });
      expect([answer.statusCode, answer.json().code]).toEqual([422, "list_full"]);
    }
    expect((await compiledLists()).blacklist).toHaveLength(listEntriesMax - 1);
    const { report } = await imported({ mode: "replace", text: many(listEntriesMax, 12).join() });
    expect(report).toMatchObject({ added: listEntriesMax, removed: listEntriesMax - 1 });
  });

  test("two at once: the list holds both or one was told that it is full", async () => {
    const halves = [many(6_000, 20), many(6_000, 21)];
    const answers = await Promise.all(halves.map((entries) => put({ entries })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422,
    ]);
    expect((await compiledLists()).blacklist).toHaveLength(6_000);
  });

  test("the longest list there can be fits, goes out as CSV and comes in again", async () => {
    const entries = Array.from(
      { length: listEntriesMax },
      (_, n) => `2001:db8:1111:2222:3333:4444:${(n >> 8).toString(16)}:${(n + 1).toString(16)}`,
    );
    expect((await imported({ entries })).report.added).toBe(listEntriesMax);
    const { body } = await list("blacklist");
    const { report } = await imported({ type: "whitelist", text: body });
    expect(report).toMatchObject({ added: listEntriesMax, existing: 0, invalid: 0 });
    const lists = await compiledLists();
    expect(lists.whitelist.toSorted()).toEqual(lists.blacklist.toSorted());
  });
});

test("the export is a CSV file, by name and type, of one list", async () => {
  await imported({ text: "192.0.2.1" });
  const answer = await list("blacklist");
  expect(answer.headers["content-type"]).toContain("text/csv");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="blacklist.csv"');
  expect(answer.body).toBe(
    `ip,created_at,name,note,expires\r\n192.0.2.1,${testApp.clock.now().toISOString()},,,\r\n`,
  );
  expect((await list("whitelist")).body).toBe("ip,created_at,name,note,expires\r\n");
});

describe("clear", () => {
  test("empties one list, at the edge too; the other stays", async () => {
    await imported({ text: "192.0.2.1 192.0.2.2\nGriefer" });
    await imported({ type: "whitelist", text: "192.0.2.9" });
    const answer = await expectStatus(clear("blacklist"), 200);
    expect(answer.json()).toEqual({
      message: "All IPs from blacklist cleared successfully",
      revision: 4,
    });
    expect(await compiledLists()).toMatchObject({
      blacklist: [],
      blacklist_names: [],
      whitelist: ["192.0.2.9"],
    });
    await expectStatus(clear("blacklist"), 200);
    await expectStatus(clear("greylist"), 422);
  });

  test("reaches no other shield's list", async () => {
    await imported({ text: "192.0.2.1" });
    const other = await createUser(testApp);
    const answer = await call(testApp, routes.firewall.clearFirewallList, {
      token: other.token,
      params: { id: shieldId, type: "blacklist" },
    });
    expect(answer.statusCode).toBe(404);
    expect((await compiledLists()).blacklist).toEqual(["192.0.2.1"]);
  });
});

test("lists of a shield that is not active stay as they are: 409", async () => {
  await imported({ text: "192.0.2.1" });
  await testApp.platform.db
    .updateTable("shields")
    .set({ status: "blocked" })
    .where("id", "=", shieldId)
    .execute();
  for (const answer of [await put({ text: "192.0.2.2" }), await clear("blacklist")]) {
    expect([answer.statusCode, answer.json().code]).toEqual([409, "server_not_active"]);
  }
  expect((await list("blacklist")).body).toContain("192.0.2.1");
});
