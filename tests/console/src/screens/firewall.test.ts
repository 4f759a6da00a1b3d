import { firewallRoutes } from "@palisade/contract/http/firewall";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { beforeEach, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

/** Notes and ends of the entries of a list. */

const path = `/dashboard/gameshield/${exampleIds.shield}/firewall`;
const hourMs = 3_600_000;
const fixture = useConsole();

beforeEach(() => {
  const at = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
  const details = [
    { ip: "Griefer_1", kind: "name", note: "Blew up the spawn", expires_at: at(30) },
    { ip: "203.0.113.5", kind: "address", note: "", expires_at: null },
    { ip: "198.51.100.7", kind: "address", note: "Came back", expires_at: at(-2) },
  ] as const;
  fixture.state.firewall = {
    ...fixture.state.firewall,
    blacklist_ips: details.map((each, n) => ({
      ...each,
      id: exampleIds.entry.slice(0, -1) + n,
      created_at: at(-50),
    })),
  };
});

const listed = () => fixture.state.firewall.blacklist_ips;

test("an entry is added with a note and for a while, and its note finds it", async () => {
  const page = await fixture.open(path);
  await page.getByRole("textbox", { name: "Address or name to block" }).fill("192.0.2.1");
  await page.getByRole("textbox", { name: "Note" }).fill("Bots of Sunday");
  await page.getByRole("combobox", { name: "For" }).selectOption("7 days");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: "192.0.2.1" });
  await row.filter({ hasText: "Bots of Sunday" }).waitFor();
  const added = listed().find(({ ip }) => ip === "192.0.2.1");
  const lastsMs = Date.parse(added?.expires_at ?? "") - Date.now();
  expect(Math.round(lastsMs / hourMs)).toBe(7 * 24);
  expect(await page.getByRole("combobox", { name: "For" }).inputValue()).toBe("always");
  await page.getByRole("textbox", { name: "Search the list" }).fill("sunday");
  const table = page.locator("tbody").filter({ hasText: "192.0.2.1" });
  await until(async () => (await table.locator("tr").count()) === 1);
  await row.waitFor();
});

test("a row says what has ended, and is edited in place by the keyboard", async () => {
  const page = await fixture.open(path);
  const ended = page.getByRole("row").filter({ hasText: "198.51.100.7" });
  await ended.getByText("Ended").waitFor();
  const edit = page.getByRole("button", { name: "Edit Griefer_1" });
  const focused = page.locator('[aria-label="Edit Griefer_1"]:focus');
  await edit.press("Enter");
  const form = page.getByRole("form", { name: "Edit Griefer_1" });
  const note = form.getByRole("textbox", { name: "Note" });
  await form.locator("[name=note]:focus").waitFor();
  await expectSound(page, "an entry that is edited");
  await note.press("Escape");
  await focused.waitFor();
  await edit.press("Enter");
  await note.fill("Forgiven soon");
  await form.getByRole("combobox", { name: "For" }).selectOption("1 hour");
  await note.press("Enter");
  await page.getByRole("row").filter({ hasText: "Forgiven soon" }).waitFor();
  const lastsMs = Date.parse(listed()[0]?.expires_at ?? "") - Date.now();
  expect(Math.round(lastsMs / hourMs)).toBe(1);
  await focused.waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("row").filter({ hasText: "Blew up the spawn" }).waitFor();
});

test("an end that the api refuses is said beside the date, and the row stays open", async () => {
  fixture.api.refuse(firewallRoutes.updateFirewallEntry, "validation_failed", [
    { path: "expires_at", code: "entry_end.past" },
  ]);
  const page = await fixture.open(path, { width: 390 });
  await page.getByRole("button", { name: "Edit 203.0.113.5" }).click();
  const form = page.getByRole("form", { name: "Edit 203.0.113.5" });
  await form.getByRole("combobox", { name: "For" }).selectOption("Until a date");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Choose a time that is still to come").waitFor();
  await expectSound(page, "an end that is refused");
});
