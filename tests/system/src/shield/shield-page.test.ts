import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  buyShield,
  startOverviewFixture,
  shieldPath,
  type OverviewFixture,
} from "../overview/fixture.ts";
import { expectSound, settled } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** A shield as a whole: its menu, its sections, and what is said where it cannot be shown. */

const sections = [
  "Backends",
  "Domains",
  "Mitigation",
  "Caching",
  "Customization",
  "Firewall",
  "Subusers",
];

let fixture: OverviewFixture;
let owner: TestAccount;
let member: TestAccount;
let shieldId: string;

beforeAll(async () => {
  fixture = await startOverviewFixture();
  const { consoleUrl } = fixture.palisade;
  [owner, member] = await Promise.all([
    createAccount(consoleUrl, "shield-page@example.com"),
    createAccount(consoleUrl, "shield-member@example.com"),
  ]);
  shieldId = await buyShield(owner, {
    plan: "Free",
    name: "Skyline",
    domain: "shield-page.example.com",
  });
  await fixture.database.query(
    `insert into shield_members (shield_id, user_id, role, created_at)
     select $1, id, 'member', now() from users where email = $2`,
    [shieldId, member.email],
  );
});

afterEach(() => fixture.closePages());

afterAll(() => fixture?.end());

async function openMenu(page: Page, name = "Options of the server") {
  await page.getByRole("button", { name }).click();
  await page.getByRole("menu").waitFor();
}

function toast(page: Page, text: string) {
  return page.getByRole("alert").filter({ hasText: text });
}

const tabs = (page: Page) => page.getByRole("navigation", { name: /^(Sections|Разделы)$/ });

describe("the owner", () => {
  test("renames it by mouse and keyboard, deletes it with its name typed, and takes that back", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId, "/firewall"));
    await expectSound(page, "the shield page");
    const options = page.getByRole("button", { name: "Options of the server" });

    await options.focus();
    await page.keyboard.press("Enter");
    const items = page.getByRole("menuitem");
    const focused = page.locator("[role=menuitem]:focus");
    await focused.filter({ hasText: "Rename" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await focused.filter({ hasText: "Delete" }).waitFor();
    // Round to the first again.
    await page.keyboard.press("ArrowDown");
    await focused.filter({ hasText: "Rename" }).waitFor();
    await page.keyboard.press("Escape");
    await items.first().waitFor({ state: "hidden" });
    await page.locator(":focus").and(options).waitFor();
    await openMenu(page);
    await expectSound(page, "the open menu");
    await page.getByRole("heading", { level: 1 }).click();
    await items.first().waitFor({ state: "hidden" });

    await openMenu(page);
    await page.getByRole("menuitem", { name: "Rename" }).click();
    const rename = page.getByRole("dialog", { name: "Rename server" });
    const name = rename.getByLabel("Server name");
    const save = rename.getByRole("button", { name: "Save" });
    await name.fill("  ");
    expect(await save.getAttribute("aria-disabled")).toBe("true");
    await name.fill("semi;colon");
    await save.click();
    await rename
      .getByText("Server name can only contain letters, numbers, spaces, hyphens and underscores")
      .waitFor();
    await expectSound(page, "renaming");
    await name.fill("Harbour");
    await page.keyboard.press("Enter");
    await toast(page, "Server renamed successfully").waitFor();
    await page.getByRole("heading", { level: 1, name: "Harbour" }).waitFor();
    await page.locator(":focus").and(options).waitFor();
    // Another member has renamed it: closing the dialog without a change reads it again.
    await owner.call(routes.serverLife.renameServer, {
      params: { id: shieldId },
      body: { server_name: "Skyline" },
    });
    await openMenu(page);
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Skyline" }).waitFor();

    await openMenu(page);
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Skyline?" });
    for (const text of ["cannot join any more", "not refunded", "CNAME target", "14 days"]) {
      await dialog.getByText(text).waitFor();
    }
    await expectSound(page, "deleting");
    const erase = dialog.getByRole("button", { name: "Delete server" });
    await dialog.getByRole("textbox").fill("Harbour");
    expect(await erase.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Enter");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("textbox").fill("Skyline");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");
    const undo = toast(page, "Resource deleted successfully");
    await undo.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByText("You have not created any Game Shields yet.").waitFor();
    await undo.getByRole("button", { name: "Undo" }).click();
    await toast(page, "Server restored").waitFor();
    await page.getByRole("link", { name: "Skyline" }).click();
    await page.getByRole("heading", { level: 1, name: "Skyline" }).waitFor();
  });

  test("finds it among the deleted ones on a small phone in Russian, and restores it there", async () => {
    await owner.call(routes.serverLife.deleteServer, {
      params: { id: shieldId },
      body: { server_name: "Skyline" },
    });
    const look = { theme: "light", locale: "ru", width: 320 } as const;
    const page = await fixture.open(owner, "/dashboard", look);
    await page.getByRole("link", { name: "Удал" }).click();
    await page.waitForURL("**/dashboard?status=deleted");
    await page.getByText("Skyline").waitFor();
    await settled(page);
    await expectSound(page, "deleted shields at 320 px");
    await page.reload();
    await page.getByRole("button", { name: "Восстановить Skyline" }).click();
    await toast(page, "Сервер восстановлен").waitFor();
    await page.getByText("Нет удалённых серверов").waitFor();
    await expectSound(page, "no deleted shields");
  });

  test("reaches every section on a small phone: the row scrolls to the one shown", async () => {
    const look = { theme: "light", width: 320 } as const;
    const page = await fixture.open(owner, shieldPath(shieldId), look);
    expect(await tabs(page).getAttribute("data-more")).toBe("end");
    for (const name of sections) {
      const tab = tabs(page).getByRole("link", { name, exact: true });
      await tab.click();
      await page.waitForURL(`**/${shieldId}/${name.toLowerCase()}`);
      await until(async () => (await tab.getAttribute("aria-current")) === "page");
    }
    await until(async () => (await tabs(page).getAttribute("data-more")) === "start");
    await expectSound(page, "the last section at 320 px");
    // By name too, whatever page one is on.
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox").fill("skyline caching");
    await page.getByRole("option", { name: "Skyline: Caching" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/${shieldId}/caching`);
  });

  test("an unknown section is a page not found within the frame, capitals lead to the section", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId, "/nonsense"));
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Billing" }).waitFor();
    await expectSound(page, "an unknown section");
    await page.goto(`${shieldPath(shieldId, "/Firewall")}?tab=whitelist`);
    await page.waitForURL(`**/${shieldId}/firewall?tab=whitelist`);
    await page.getByRole("textbox", { name: "Address or name to allow" }).waitFor();
  });

  test("offline a change fails at once and is not sent later, a section waits for the connection", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId, "/firewall"), {
      width: 390,
      isFirst: true,
    });
    const toggle = page.getByRole("switch", { name: "Whitelist only" });
    await toggle.waitFor();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    await page.context().setOffline(true);
    const notice = page.getByRole("status").filter({ hasText: "You are offline." });
    await notice.waitFor();
    await toggle.press("Space");
    await toast(page, "Error updating firewall settings").waitFor();
    expect(await toggle.isChecked()).toBe(false);
    const tried = sent.length;
    await expectSound(page, "offline");

    await tabs(page).getByRole("link", { name: "Domains" }).click();
    await page.getByRole("alert").filter({ hasText: "Something went wrong" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "Skyline" }).waitFor();
    await expectSound(page, "a section that did not arrive");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Add domain" }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(sent).toHaveLength(tried);
    const { data } = await owner.call(routes.firewall.getFirewall, { params: { id: shieldId } });
    expect(data.whitelist_only).toBe(false);
  });
});

describe("pages that cannot be shown", () => {
  test.each(["expired", "blocked"] as const)(
    "%s: only the overview, and what players are told",
    async (status) => {
      await fixture.setStatus(shieldId, status);
      try {
        const page = await fixture.open(owner, shieldPath(shieldId, "/subusers"));
        await toast(page, "Access denied. Server must be active to access this section").waitFor();
        await page.waitForURL(`**/${shieldId}`);
        await page
          .getByText(`This shield ${status === "expired" ? "has expired" : "is blocked"}.`)
          .waitFor();
        for (const name of sections) {
          const tab = tabs(page).getByRole("button", { name });
          expect(await tab.getAttribute("aria-disabled")).toBe("true");
        }
        // It says why it does nothing, which a click by hand finds out.
        await tabs(page).getByRole("button", { name: "Backends" }).click({ force: true });
        await toast(page, "Server must be active to access this section").last().waitFor();
        expect(new URL(page.url()).pathname).toBe(shieldPath(shieldId));
        await openMenu(page);
        expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Delete"]);
        await page.keyboard.press("Escape");
        await expectSound(page, status);
      } finally {
        await fixture.setStatus(shieldId, "active");
      }
    },
  );

  test("a sub-user is not offered to delete it", async () => {
    const page = await fixture.open(member, shieldPath(shieldId));
    await openMenu(page);
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Rename"]);
  });

  test("a shield that is deleted, another account's, unknown or without an id: says so and leads back", async () => {
    onTestFinished(async () => {
      await owner.call(routes.serverLife.restoreServer, { params: { id: shieldId } });
    });
    await owner.call(routes.serverLife.deleteServer, {
      params: { id: shieldId },
      body: { server_name: "Skyline" },
    });
    const page = await fixture.open(owner, shieldPath(shieldId, "/domains"), { unsettled: true });
    await toast(page, "Server has been deleted. Redirecting to dashboard...").waitFor();
    await page.waitForURL("**/dashboard");
    await page.goto(shieldPath("01990000-0000-7000-8000-000000000000"));
    await toast(page, "Server not found. Redirecting to dashboard...").waitFor();
    await page.waitForURL("**/dashboard");
    await page.goto("/dashboard/gameshield");
    await page.getByText("Server not found").waitFor();
    await expectSound(page, "no shield");
    await page.getByRole("link", { name: "Go Back" }).click();
    await page.waitForURL("**/dashboard");

    const other = await fixture.open(member, shieldPath(shieldId), {
      locale: "ru",
      unsettled: true,
    });
    await other
      .getByText(/Сервер не найден/)
      .first()
      .waitFor();
    await other.waitForURL("**/dashboard");
  });
});
