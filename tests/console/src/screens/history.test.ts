import { routes } from "@palisade/contract/http/routes";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { renderText } from "@palisade/contract/texts/render";
import { expectSound, settled, watchForErrors } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { makeLively } from "./lively-account.ts";

const fixture = useConsole();
const focused = (page: Page, target: Locator) => target.and(page.locator(":focus"));
const history = `/dashboard/gameshield/${exampleIds.shield}/history`;

describe("the history of a shield", () => {
  test("shows each setting with its values before and after, and who changed it", async () => {
    makeLively(fixture.api, fixture.state, "en");
    const page = await fixture.page({ width: 390 });
    await page.goto(history);
    const row = page.getByRole("listitem").filter({ hasText: "Backend group: Lobby" });
    await row.locator("summary").click();
    const cells = await row.getByRole("cell").allInnerTexts();
    expect(cells).toContain("Added: 192.0.2.7:25565");
    expect(cells.filter((cell) => cell === "On")).toHaveLength(1);
    // Values have the names of their own pages, not those of the api.
    expect(cells).toEqual(
      expect.arrayContaining(["Other", "Frankfurt", "Round Robin", "Least Connections"]),
    );
    const member = page.getByRole("listitem").filter({ hasText: "m***@example.com" });
    await member.locator("summary").click();
    await member.getByRole("cell", { name: "Before Manager", exact: true }).waitFor();
    await member
      .getByRole("cell", {
        name: "After Custom (View and change: Backends. View: Attacks and log)",
      })
      .waitFor();
    await page.getByText("by API key Ban bot").waitFor();
    await page.getByText("maria.a.long.name@example-network.org").first().waitFor();
  });

  test("says in one line what a single change made of what", async () => {
    makeLively(fixture.api, fixture.state, "en");
    const page = await fixture.open(history);
    for (const line of [
      "Name Survival → Survival and Creative",
      "Blacklist 60 added",
      "Sub-user: m***@example.com Manager → Custom",
      "Domain: old.example.com Group by region → –",
      "Proof of a server: 192.0.2.7:25565 Proven: it answers as Minecraft",
    ]) {
      const shown = page.locator("summary").filter({ hasText: line });
      await shown.waitFor();
      expect(await shown.count()).toBe(1);
    }
  });

  test("shows figures with their units, and pictures as pictures", async () => {
    makeLively(fixture.api, fixture.state, "ru");
    const page = await fixture.page({ locale: "ru" });
    const errors = watchForErrors(page);
    await page.goto(history);
    const rowOf = (hasText: string) => page.getByRole("listitem").filter({ hasText });
    await rowOf("Пауза перед повторным входом").locator("summary").click();
    for (const value of ["7 секунд", "9 000 байт", "1 минута", "50 в секунду", "Высокий"]) {
      await page.getByRole("cell", { name: value, exact: true }).waitFor();
    }
    const messages = rowOf("MOTD, строка 1");
    await messages.locator("summary").click();
    const picture = messages.locator("img");
    await until(
      async () => (await picture.evaluate((shown) => Reflect.get(shown, "naturalWidth"))) === 64,
      { what: "the drawn picture" },
    );
    expect(errors).toEqual([]);
  });

  test("keeps its filters in the address, and says when nothing matches them", async () => {
    const list = routes.history.listHistory;
    fixture.api.change(list, (usual) => ({ ...usual, data: [], total: 0 }));
    const page = await fixture.page();
    await page.goto(`${history}?area=caching`);
    await page.getByText("No change matches these filters.").waitFor();
    fixture.api.restore(list);
    await page.getByLabel("Area").selectOption("Mitigation");
    await page.getByText("Rejoin cooldown").first().waitFor();
    await until(() => page.url().endsWith("?area=mitigation"));
    await page.reload();
    await settled(page);
    expect(await page.getByLabel("Area").inputValue()).toBe("mitigation");
  });

  test("compares the settings of a time, restores them, and names what was left out", async () => {
    const { compareHistory, restoreHistory } = routes.history;
    fixture.api.change(restoreHistory, (usual) => ({
      ...usual,
      left_out: [
        {
          area: "mitigation" as const,
          field: "anti_vpn",
          item: null,
          reason: "Your plan does not include this",
        },
      ],
    }));
    fixture.api.change(compareHistory, () => ({ areas: [] }));
    const page = await fixture.page({ width: 390 });
    await page.goto(history);
    await page.locator("summary").first().click();
    const open = page.getByRole("button", { name: "Compare and restore" });
    await open.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The settings are the same.").waitFor();
    const restore = dialog.getByRole("button", { name: "Restore these settings" });
    expect(await restore.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    fixture.api.restore(compareHistory);
    await open.click();
    await dialog.getByRole("cell", { name: "Rejoin cooldown" }).first().waitFor();
    await expectSound(page, "settings of a time");
    await restore.click();
    await dialog.getByText("Your plan does not include this").waitFor();
    await dialog.getByText("Anti-VPN").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focused(page, open).waitFor();
  });

  test("compares two times with each other, and restores neither from there", async () => {
    makeLively(fixture.api, fixture.state, "en");
    const page = await fixture.open(history, { width: 320 });
    await page.locator("summary").first().click();
    await page.getByRole("button", { name: "Compare and restore" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Restore these settings" }).waitFor();
    await dialog.getByLabel("Compare with").selectOption({ index: 2 });
    await dialog
      .getByRole("button", { name: "Restore these settings" })
      .waitFor({ state: "detached" });
    const { query } = await until(() => fixture.api.callsOf(routes.history.compareHistory)[1], {
      what: "the second comparison",
    });
    expect(query).toEqual({ with: expect.any(String) });
    await expectSound(page, "two times");
  });

  test("a comparison or a restore that fails says why, keeps the dialog and can be repeated", async () => {
    const { compareHistory, restoreHistory } = routes.history;
    fixture.api.cut(compareHistory);
    const page = await fixture.open(history, { width: 390 });
    await page.locator("summary").first().click();
    await page.getByRole("button", { name: "Compare and restore" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Error fetching the settings").waitFor();
    await expectSound(page, "failed comparison");
    fixture.api.restore(compareHistory);
    await tryAgain(dialog);
    await dialog.getByRole("cell", { name: "Rejoin cooldown" }).first().waitFor();
    fixture.api.refuse(restoreHistory, "server_not_active");
    const restore = dialog.getByRole("button", { name: "Restore these settings" });
    await restore.click();
    await page
      .getByRole("alert")
      .filter({ hasText: renderText("en", "error.server_not_active") })
      .waitFor();
    fixture.api.restore(restoreHistory);
    await restore.click();
    await dialog.waitFor({ state: "detached" });
  });

  test("a member who changes none of the settings may compare, and reads why they cannot restore", async () => {
    makeLively(fixture.api, fixture.state, "en");
    fixture.state.shield = {
      ...fixture.state.shield,
      role: "member",
      member_role: "custom",
      rights: { ...roleRights.viewer, history: "view" },
    };
    const page = await fixture.open(history, { width: 390 });
    await page.locator("summary").first().click();
    await page.getByRole("button", { name: "Compare and restore" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("nothing can be restored").waitFor();
    const restore = dialog.getByRole("button", { name: "Restore these settings" });
    expect(await restore.getAttribute("aria-disabled")).toBe("true");
    await expectSound(page, "restore without the right");
  });

  test("an export that fails says so, and the page stays", async () => {
    fixture.api.refuse(routes.history.exportHistory, "rate_limited");
    const page = await fixture.open(history);
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("alert").filter({ hasText: "Too many requests" }).waitFor();
    expect(await page.locator("summary").count()).toBeGreaterThan(0);
  });
});
