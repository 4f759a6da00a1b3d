import { routes } from "@palisade/contract/http/routes";
import { exampleIds } from "@palisade/contract/reference/example-values";
import { expectSound, settled } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { makeLively } from "./lively-account.ts";

const fixture = useConsole();
const history = `/dashboard/gameshield/${exampleIds.shield}/history`;

describe("the history of a shield", () => {
  test("shows each setting with its values before and after, and who changed it", async () => {
    makeLively(fixture.api, fixture.state, "en");
    const page = await fixture.page({ width: 390 });
    await page.goto(history);
    const row = page.getByRole("listitem").filter({ hasText: "Backend group: Lobby" });
    await row.locator("summary").click();
    const cells = await row.getByRole("cell").allInnerTexts();
    expect(cells).toContain("192.0.2.7:25565");
    expect(cells.filter((cell) => cell === "On")).toHaveLength(1);
    // Values have the names of their own pages, not those of the api.
    expect(cells).toEqual(expect.arrayContaining(["Other", "Round Robin", "Least Connections"]));
    const member = page.getByRole("listitem").filter({ hasText: "m***@example.com" });
    await member.locator("summary").click();
    await member.getByRole("cell", { name: "Manager", exact: true }).waitFor();
    await member
      .getByRole("cell", { name: "Custom (Backends: View and change, Attacks and log: View)" })
      .waitFor();
    await page.getByText("by API key Ban bot").waitFor();
    await page.getByText("maria.a.long.name@example-network.org").first().waitFor();
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
  });
});
