import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { commandEnvironment, commandLine, runCommandLine } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import {
  addPromoCode,
  beginTopUp,
  changeRecord,
  confirm,
} from "#src/test-support/test-payments.ts";
import { createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";
import type { Command } from "./command.ts";
import { ledgerExportCommand } from "./ledger-export.command.ts";
import { moneyAdjustCommand, moneyConfirmCommand, moneyReverseCommand } from "./money.command.ts";
import { promoEndCommand } from "./promo-end.command.ts";
import { purchasesFreezeCommand } from "./purchases.command.ts";
import { quarantineResolveCommand } from "./quarantine.command.ts";

let testApp: TestApp;
let user: TestUser;
let ann: TestUser;
let ben: TestUser;
let folder: string;
beforeAll(async () => {
  testApp = await createTestApp();
  [ann, ben] = [await createStaff(testApp), await createStaff(testApp)];
  folder = await mkdtemp(path.join(tmpdir(), "palisade-export-"));
});
afterAll(async () => {
  await testApp?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  user = await createUser(testApp);
});

const fourEyes = { PALISADE_FOUR_EYES_EUROS: "50" };
const palisade = (...args: readonly string[]) => runCommandLine(testApp, args, fourEyes);

const cash = async () => (await balanceOf(testApp.platform.db, user.id)).cashCents;
const signed = (by: TestUser) => ["--reason", "Ticket 7", "--by", by.email];

test("an adjustment up to the limit is done, one above it waits for a second staff member", async () => {
  const done = await palisade("money", "adjust", user.email, "50", ...signed(ann));
  expect(done).toMatchObject({ code: 0, stderr: "" });
  const taken = await palisade("money", "adjust", user.email, "-20.50", ...signed(ann));
  expect(taken).toMatchObject({ code: 0, stderr: "" });
  expect(await cash()).toBe(2_950);

  const waiting = await palisade("money", "adjust", user.email, "50.01", ...signed(ann));
  const id = /Order (\S+) waits/.exec(waiting.stdout)?.[1] ?? "";
  const listed = await palisade("money", "orders");
  expect(listed.stdout).toContain(`${id}  `);
  expect(listed.stdout).toMatch(
    new RegExp(`50\\.01 EUR {2}${user.email} {2}by ${ann.email}: Ticket 7`),
  );
  const own = await palisade("money", "confirm", id, "--by", ann.email);
  expect(own).toMatchObject({ code: 1, stderr: "Another staff member has to confirm it\n" });
  const customer = await palisade("money", "confirm", id, "--by", user.email);
  expect(customer.stderr).toContain("is not staff");
  const confirmed = await palisade("money", "confirm", id, "--by", ben.email);
  expect(confirmed).toMatchObject({ code: 0, stdout: "Done: adjust of 50.01 EUR\n" });
  expect(await cash()).toBe(7_951);
  const short = await palisade("money", "adjust", user.email, "-79.52", ...signed(ann));
  const shortId = /Order (\S+) waits/.exec(short.stdout)?.[1] ?? "";
  const failed = await palisade("money", "confirm", shortId, "--by", ben.email);
  expect(failed).toMatchObject({ code: 1, stderr: "The account has not so much cash\n" });
  expect((await palisade("money", "reject", shortId, ...signed(ann))).code).toBe(0);
  expect(await cash()).toBe(7_951);
});

test("an adjustment whose command is killed at any moment is done once by its key", async () => {
  const args = ["money", "adjust", user.email, "7", ...signed(ann), "--key", user.id];
  for (const afterMs of [150, 400, 700, 1_000, 1_500]) {
    const child = spawn(process.execPath, [commandLine, ...args], {
      stdio: "ignore",
      env: { ...commandEnvironment(testApp), ...fourEyes },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    await once(child, "exit");
    clearTimeout(timer);
    expect([0, 700]).toContain(await cash());
  }
  expect((await palisade(...args)).code).toBe(0);
  expect(await cash()).toBe(700);
});

test("a payment in quarantine is listed, credited with its reason, and listed no more", async () => {
  const topUp = await beginTopUp(testApp, user, { amount: 20 });
  await changeRecord(testApp, topUp, { amount_cents: 1_999, status: "paid" });
  await confirm(testApp, user, topUp);
  const listed = await palisade("quarantine", "list");
  expect(listed.stdout).toContain(`19.99 EUR  ${user.email}  amount 1999, not 2000`);
  const id = listed.stdout.split("  ")[0] ?? "";
  const resolved = await palisade("quarantine", "resolve", id, "credit", ...signed(ann));
  expect(resolved).toMatchObject({ code: 0, stderr: "" });
  expect(await cash()).toBe(1_999);
  expect((await palisade("quarantine", "list")).stdout).toBe("0 open\n");
  const again = await palisade("quarantine", "resolve", id, "credit", ...signed(ann));
  expect(again).toMatchObject({ code: 1 });
});

test("a freeze is begun, shown and lifted by staff, each with an audit row", async () => {
  expect((await palisade("purchases", "status")).stdout).toBe("Purchases are open\n");
  expect((await palisade("purchases", "freeze", ...signed(ann))).stdout).toBe(
    "Purchases are frozen\n",
  );
  expect((await palisade("purchases", "freeze", ...signed(ben))).stdout).toContain("already");
  expect((await palisade("purchases", "status")).stdout).toMatch(/frozen since .*Z:\nTicket 7\n$/);
  expect((await palisade("purchases", "unfreeze", ...signed(ben))).stdout).toBe(
    "Purchases are open\n",
  );
  expect((await palisade("purchases", "status")).stdout).toBe("Purchases are open\n");
  const rows = await testApp.platform.db
    .selectFrom("audit_log")
    .select(["endpoint", "actor_id"])
    .where("endpoint", "like", "purchases %")
    .orderBy("seq")
    .execute();
  expect(rows).toEqual([
    { endpoint: "purchases freeze", actor_id: ann.id },
    { endpoint: "purchases unfreeze", actor_id: ben.id },
  ]);
});

test("a promo code is listed, and ends at once", async () => {
  const code = await addPromoCode(testApp, { percentage: 10, totalMax: 3 });
  const listed = await palisade("promo", "list");
  expect(listed.stdout).toContain(`${code}  10 %  without end  used 0 of 3`);
  expect((await palisade("promo", "end", code.toLowerCase())).stdout).toBe(`${code} has ended\n`);
  expect((await palisade("promo", "end", "NO-SUCH-CODE")).code).toBe(1);
});

describe("the export of the ledger", () => {
  const exportTo = (name: string, ...more: readonly string[]) =>
    palisade(
      "ledger",
      "export",
      "2030-01-01",
      "2031-12-31",
      "--out",
      path.join(folder, name),
      ...more,
    );

  test("has every posting, sums to 0, and is not a formula for a spreadsheet", async () => {
    await giveMoney(testApp, user, 1_234);
    const evil = ["--reason", '=cmd|"x"', "--by", ann.email, "--key", "evil"];
    await palisade("money", "adjust", user.email, "10", ...evil);
    // The command goes by the real clock.
    const year = new Date().getUTCFullYear();
    const out = path.join(folder, "all.csv");
    const written = await palisade("ledger", "export", `${year}-01-01`, "2031-12-31", "--out", out);
    expect(written).toMatchObject({ code: 0, stdout: `Written to ${out}\n` });
    const lines = (await readFile(out, "utf8")).trimEnd().split("\r\n");
    const { count } = await testApp.platform.db
      .selectFrom("ledger_postings")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
    expect(lines).toHaveLength(Number(count) + 1);
    const amounts = lines.slice(1).map((line) => Number(/"(-?\d+\.\d\d)"/.exec(line)?.[1]));
    expect(amounts.reduce((sum, each) => sum + Math.round(each * 100), 0)).toBe(0);
    expect(lines.join("\n")).toContain(`"'=cmd|""x"""`);
    const again = await palisade("ledger", "export", `${year}-01-01`, "2031-12-31", "--out", out);
    expect(again).toMatchObject({ code: 1, stderr: `--out: ${out} is there already\n` });
  });

  test("like DATEV has pairs of accounts with amounts above 0", async () => {
    await giveMoney(testApp, user, 1_234);
    expect((await exportTo("datev.csv", "--format", "datev")).code).toBe(0);
    const lines = (await readFile(path.join(folder, "datev.csv"), "utf8")).split("\r\n");
    expect(lines[0]).toMatch(
      /^"EXTF";700;21;"Buchungsstapel";13;\d{17};.*;20300101;4;20300101;20311231;/,
    );
    expect(lines[1]).toMatch(
      /^"Umsatz \(ohne Soll\/Haben-Kz\)";"Soll\/Haben-Kennzeichen";"WKZ Umsatz"/,
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^12,34;"S";"EUR";2709;1710;\d{4};"[0-9A-F]{12}";"adjustment"$/),
    );
  });
});

test("the books are whole after all of it", async () => {
  const verified = await palisade("ledger", "verify");
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  expect((await palisade("ledger", "revenue")).code).toBe(0);
});

// Refused before the database is asked, hence without a process of their own.
test.each<[Command, readonly string[], RegExp]>([
  [moneyAdjustCommand, ["a@example.com", "20", "--reason", "x"], /--by/],
  [moneyAdjustCommand, ["a@example.com", "20", "--by", "b@example.com"], /--reason/],
  [moneyAdjustCommand, ["a@example.com", "20", "--reason", " ", "--by", "b@e.com"], /--reason/],
  ...["0", "-0", "1e3", "10000.01", "-10000.01", "1.5", "--5"].map(
    (euros): [Command, readonly string[], RegExp] => [
      moneyAdjustCommand,
      ["--reason", "x", "--by", "b@example.com", "--", "a@example.com", euros],
      /give 0.01 to 10000.00/,
    ],
  ),
  [moneyAdjustCommand, ["a@example.com", "--reason", "x", "--by", "b@e.com"], /one e-mail and one/],
  [
    moneyAdjustCommand,
    ["a@e.com", "1", "--reason", "x", "--by", "b@e.com", "--key", "a b"],
    /--key/,
  ],
  [moneyReverseCommand, ["--reason", "x", "--by", "b@example.com"], /one business key/],
  [moneyConfirmCommand, ["id"], /--by/],
  [quarantineResolveCommand, ["7", "credit", "--reason", "x", "--by", "b@e.com"], /Give one case/],
  [
    quarantineResolveCommand,
    ["01a20eb1-b327-72c4-b8b3-3d5ee8fd6bbf", "keep", "--reason", "x", "--by", "b@e.com"],
    /credit, returned, dismiss/,
  ],
  [purchasesFreezeCommand, ["now", "--reason", "x", "--by", "b@example.com"], /only/],
  [promoEndCommand, [], /Give one code/],
  [promoEndCommand, ["NO", "YES"], /Give one code/],
  [ledgerExportCommand, ["2026-02-31", "2026-03-01", "--out", "x"], /2026-02-31: give a day/],
  [ledgerExportCommand, ["2026-03-02", "2026-03-01", "--out", "x"], /before the first/],
  [ledgerExportCommand, ["2026-03-01", "2026-03-01"], /--out/],
  [
    ledgerExportCommand,
    ["2026-03-01", "2026-03-01", "--out", "x", "--format", "pdf"],
    /csv or datev/,
  ],
])("%s %j is wrong usage", async (command, args, message) => {
  const run = command.run(args);
  await expect(run).rejects.toThrow(message);
  await expect(run).rejects.toMatchObject({ exitCode: 2 });
});
