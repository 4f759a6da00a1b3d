import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tryLogin } from "../minecraft/java-client.ts";
import { startGameServer, type GameServer } from "../minecraft/peers.ts";
import { launchBrowser } from "../console/browser.ts";
import { createConsolePages, type ConsolePages } from "../console/pages.ts";
import { createShield } from "../product/account.ts";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { expectSound, isInWindow, settled, watchForErrors } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { hasFocus } from "../wizard/keyboard.ts";

/** The firewall from the click to what a client at the edge is told. Each test has a new shield. */

let home: string;
let palisade: Palisade;
let browser: Browser;
let game: GameServer;
let owner: TestAccount;
let shieldId: string;
let domain: string;
let serial = 0;
let pages: ConsolePages;
let page: Page;
let errors: string[];
/** The address from which the page calls, and that of a player who is on no list. */
const own = "127.0.0.1";
const stranger = "127.0.0.66";

beforeAll(async () => {
  home = await createPreparedHome();
  [palisade, game, browser] = await Promise.all([
    startPalisade(home),
    startGameServer("Skyline", { version: "1.8.8" }),
    launchBrowser(),
  ]);
  owner = await createAccount(palisade.consoleUrl, "owner@example.com");
  pages = createConsolePages(browser, palisade.consoleUrl);
});

beforeEach(async () => {
  const backend = { host: "127.0.0.1", port: game.port };
  domain = `play${(serial += 1)}.example.com`;
  shieldId = (await createShield(owner.call, backend, domain)).id;
});

afterEach(() => pages.end());

afterAll(async () => {
  await browser?.close();
  await game?.kill();
  await palisade?.stop();
  if (home !== undefined) await removeHome(home);
});

/** The firewall's page over a blacklist of these entries. */
async function openWith(blacklist: readonly string[]): Promise<void> {
  if (blacklist.length > 0) {
    await owner.call(routes.firewall.importFirewall, {
      params: { id: shieldId },
      body: { type: "blacklist", mode: "replace", entries: [...blacklist] },
    });
  }
  page = await pages.page({ token: owner.token });
  errors = watchForErrors(page, /status of 4\d\d/);
  await page.goto(`/dashboard/gameshield/${shieldId}/firewall`);
  await settled(page);
}

function outcome(from: string, name = "Visitor") {
  return tryLogin({ edge: palisade.java, host: domain, from }, name);
}

/** The answer to a client from that address, once the edge has applied the change. */
async function untilTold(from: string, text: RegExp, name?: string): Promise<void> {
  await until(
    async () => {
      const answer = await outcome(from, name).catch(() => null);
      return answer?.kind === "kicked" && text.test(answer.text);
    },
    { what: `${String(text)} for ${name ?? "Visitor"} from ${from}` },
  );
}

const applied = (what: string) =>
  page
    .getByRole("status")
    .filter({ hasText: new RegExp(`${what}.*applied on 1/1 edges in`) })
    .waitFor();

async function importText(text: string, mode: "Add to the list" | "Replace the list") {
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Addresses, ranges and names" }).fill(text);
  await dialog.getByRole("radio", { name: mode }).check();
  return dialog;
}

describe("lists", () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `10.9.${n >> 8}.${n & 255}`);

  test("are imported: what cannot be read is said before, what can is blocked at the edge", async () => {
    await openWith(["203.0.113.5"]);
    const dialog = await importText(
      `# griefers\n${stranger}\nnot-an-address\n203.0.113.5`,
      "Add to the list",
    );
    await dialog.getByText("2 entries can be imported.").waitFor();
    await dialog.getByText("Line 3: not-an-address").waitFor();
    await expectSound(page, "import");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await importText(`# griefers\n${stranger}\nnot-an-address\n203.0.113.5`, "Add to the list");
    await dialog.getByRole("button", { name: "Import" }).click();
    await page
      .getByText("Import finished. Added: 1, already there: 1, invalid: 1")
      .first()
      .waitFor();
    await applied("Blacklist updated");
    await page.getByRole("cell", { name: stranger, exact: true }).waitFor();
    await untilTold(stranger, /blocked/);
    expect(errors).toEqual([]);
  });

  test("take an address once however often Enter is pressed; the focus and Undo stay at hand", async () => {
    await openWith([stranger]);
    let posts = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/firewall/ips")) posts += 1;
    });
    const field = page.getByRole("textbox", { name: "Address or name to block" });
    await field.fill("198.51.100.1");
    await field.evaluate((input) => {
      for (let press = 0; press < 2; press += 1) input.closest("form")?.requestSubmit();
    });
    await page.getByRole("cell", { name: "198.51.100.1", exact: true }).waitFor();
    await until(async () => (await field.inputValue()) === "", { what: "room for the next" });
    expect(posts).toBe(1);
    await field.fill("198.51.100.2");
    await page.getByRole("button", { name: "Add", exact: true }).dblclick();
    await page.getByRole("cell", { name: "198.51.100.2", exact: true }).waitFor();
    await hasFocus(page, field);
    expect(await field.getAttribute("aria-invalid")).not.toBe("true");
    expect(posts).toBe(2);

    await page.setViewportSize({ width: 390, height: 500 });
    const remove = (ip: string) => page.getByRole("button", { name: `Delete ${ip}` });
    await remove("198.51.100.2").press("Enter");
    await hasFocus(page, remove("198.51.100.1"));
    await applied("removed");
    const undo = page.getByRole("button", { name: "Undo" });
    expect(await isInWindow(undo)).toBe(true);
    await remove("198.51.100.1").press("Enter");
    await hasFocus(page, remove(stranger));
    await undo.press("Enter");
    await page.getByRole("cell", { name: "198.51.100.1", exact: true }).waitFor();
    // From where it was pressed on: the new receipt is next.
    await page.keyboard.press("Tab");
    await hasFocus(page, page.getByRole("button", { name: "Dismiss" }).last());
    await remove("198.51.100.1").press("Enter");
    await hasFocus(page, remove(stranger));
    expect(errors).toEqual([]);
  });

  test("take a player's name: they are kicked with the owner's message, and others at their address join", async () => {
    await owner.call(routes.serverMessages.updateServerMessages, {
      params: { id: shieldId },
      body: { firewall: { blacklist_msg: "Not you, {player}" } },
    });
    await openWith([]);
    await page.getByRole("textbox", { name: "Address or name to block" }).fill("Griefer_1");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await applied("Player Griefer_1 added");
    // The page has told that every edge applied it.
    for (const name of ["Griefer_1", "griefer_1"]) {
      expect(await outcome(own, name)).toMatchObject({
        kind: "kicked",
        text: expect.stringContaining(`Not you, ${name}`),
      });
    }
    expect(await outcome(own, "Griefer_2")).toMatchObject({ kind: "admitted" });
    await page.getByRole("button", { name: "Delete Griefer_1" }).click();
    await applied("Player Griefer_1 removed");
    expect(await outcome(own, "Griefer_1")).toMatchObject({ kind: "admitted" });
    await owner.call(routes.firewall.addFirewallEntry, {
      params: { id: shieldId },
      body: { type: "whitelist", ip: "Griefer_2" },
    });
    await owner.call(routes.firewall.updateFirewall, {
      params: { id: shieldId },
      body: { whitelist_only: true },
    });
    await untilTold(own, /maintenance|whitelist/i, "Griefer_1");
    expect(await outcome(own, "Griefer_2")).toMatchObject({ kind: "admitted" });
    expect(errors).toEqual([]);
  });

  test("go out as CSV that comes in again", async () => {
    await openWith(["203.0.113.5", stranger]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("blacklist.csv");
    const csv = await readFile(await file.path(), "utf8");
    expect(csv.split("\r\n")[0]).toBe("ip,created_at,name,note,expires");
    expect(csv).toContain(`\r\n${stranger},`);
    expect(csv.trim().split("\r\n")).toHaveLength(3);
    expect(errors).toEqual([]);
  });

  test("10,000 entries are searched and paged without the page freezing", async () => {
    await openWith(["203.0.113.5", stranger]);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("File to import").setInputFiles({
      name: "list.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(many.join("\n")),
    });
    await dialog.getByText("list.txt").waitFor();
    await dialog.getByText(/10,?000 entries can be imported/).waitFor();
    await dialog.getByRole("radio", { name: "Replace the list" }).check();
    await dialog.getByRole("button", { name: "Import" }).click();
    await applied("Blacklist updated");
    await page.getByText("of 400", { exact: true }).waitFor();
    const search = page.getByRole("textbox", { name: "Search the list" });
    await search.fill("10.9.39.15");
    await page.getByRole("cell", { name: "10.9.39.15", exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await search.fill("");
    expect(errors).toEqual([]);
  });

  test("are emptied after a question, and filled again by Undo", async () => {
    await openWith(many);
    await page.getByRole("button", { name: "Remove all" }).click();
    const question = page.getByRole("dialog", { name: "Empty the blacklist" });
    await question.getByText(/All 10,000 entries are removed/).waitFor();
    await question.getByRole("button", { name: "Remove all" }).click();
    await page.getByText("All IPs from blacklist cleared successfully").first().waitFor();
    await page.getByText("No entries found").waitFor();
    expect(await page.getByRole("button", { name: "Remove all" }).count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("of 400", { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });
});

describe("maintenance", () => {
  test("keeps others out, warns who would be kept out themselves and lets them in by a click; the server as well locks it for five seconds", async () => {
    await openWith(["203.0.113.5"]);
    await page.getByRole("switch", { name: "Whitelist only" }).press("Space");
    const warning = page.getByRole("status").filter({ hasText: "No players can join" });
    await warning.getByText(own, { exact: true }).waitFor();
    await expectSound(page, "maintenance");
    await untilTold(own, /maintenance|whitelist/i);
    await warning.getByRole("button", { name: "Add my address" }).click();
    await warning.waitFor({ state: "detached" });
    await until(async () => (await outcome(own).catch(() => null))?.kind === "admitted", {
      what: "a join from the whitelist",
    });
    await untilTold(stranger, /maintenance|whitelist/i);

    const change = (whitelist_only: boolean) =>
      owner.call(routes.firewall.updateFirewall, {
        params: { id: shieldId },
        body: { whitelist_only },
      });
    await until(
      () =>
        change(false).then(
          () => true,
          () => false,
        ),
      { what: "the end of the lock" },
    );
    await expect(change(true)).rejects.toMatchObject({ status: 429 });
    await until(async () => (await outcome(stranger).catch(() => null))?.kind === "admitted", {
      what: "a join after maintenance",
    });
    expect(errors).toEqual([]);
  });
});

test("it reads well in Russian on a small screen", async () => {
  const phone = await pages.open(`/dashboard/gameshield/${shieldId}/firewall`, {
    width: 320,
    theme: "light",
    locale: "ru",
    token: owner.token,
  });
  await expectSound(phone, "firewall at 320 px");
  await phone.getByRole("button", { name: "Импорт", exact: true }).press("Enter");
  await phone.getByRole("textbox", { name: "Адреса, диапазоны и имена" }).fill("x\n192.0.2.1");
  await phone.getByText("Строка 1").waitFor();
  await expectSound(phone, "import at 320 px");
});

test("a player's trace code finds their login in the log, and one click blocks them for good", async () => {
  const params = { id: shieldId };
  await owner.call(routes.serverMessages.updateServerMessages, {
    params,
    body: { firewall: { whitelist_msg: "Closed. Tell us {trace}" } },
  });
  await owner.call(routes.firewall.updateFirewall, { params, body: { whitelist_only: true } });
  await untilTold(stranger, /Tell us/);
  const kicked = await outcome(stranger);
  const code = kicked.kind === "kicked" ? /Tell us (\w{8})/.exec(kicked.text)?.[1] : undefined;
  page = await pages.page({ token: owner.token });
  errors = watchForErrors(page);
  await page.goto(`/dashboard/gameshield/${shieldId}/logs`);
  const search = page.getByLabel("Player, domain, address or trace code");
  // As from a screenshot: in lower case, with a space.
  await search.fill(`${code?.slice(0, 4)} ${code?.slice(4)}`.toLowerCase());
  await search.press("Enter");
  const row = page.getByRole("button", { name: /Visitor: Whitelist only/ });
  // The edge reports every few seconds, and the list is read again by itself.
  const found = page.getByRole("cell", { name: code ?? "", exact: true });
  await until(async () => (await row.count()) === 1 && (await found.count()) === 1, {
    what: "the login alone",
  });
  await row.click();
  await page
    .getByText("Maintenance: neither the address nor the name is on the whitelist")
    .waitFor();
  await page.getByRole("button", { name: "Block address" }).click();
  await applied(`IP ${stranger} added`);
  // The switch is locked for five seconds after a change.
  await until(() =>
    owner.call(routes.firewall.updateFirewall, { params, body: { whitelist_only: false } }).then(
      () => true,
      () => false,
    ),
  );
  await untilTold(stranger, /blocked/);
  expect(errors).toEqual([]);
});
