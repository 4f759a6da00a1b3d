import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import type { TailLine } from "@palisade/contract/http/logs";
import { routes } from "@palisade/contract/http/routes";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { livelyLog, logId } from "./lively-log.ts";

const fixture = useConsole();
const logs = `/dashboard/gameshield/${exampleIds.shield}/logs`;
const { listLogEntries, tailLogEntries, updateLogSettings, erasePlayer, exportLogEntries } =
  routes.logs;
const usual = example(listLogEntries);
const one = usual.data[0];
if (one === undefined) throw new Error("The example has no entry");
const entry = one;

function show(count = 90): void {
  const data = livelyLog(entry, "en", count);
  fixture.api.change(listLogEntries, () => ({ ...usual, data, next_cursor: null }));
}

test("an empty log says so, and what it is for", async () => {
  fixture.api.change(listLogEntries, () => ({ ...usual, data: [], next_cursor: null }));
  const page = await fixture.open(logs, { width: 320 });
  await page.getByText("No logs found").waitFor();
  await expectSound(page, "empty log");
  await page.goto(`${logs}?q=nothing`);
  await page.getByText("No login matches these filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await until(() => !page.url().includes("nothing"));
});

test("a trace code is found as it was typed, and the entry says why in words", async () => {
  show();
  const page = await fixture.open(logs);
  const search = page.getByLabel("Player, domain, address or trace code");
  await search.fill("7k3m 9qxw");
  await search.press("Enter");
  await until(() => page.url().includes("q="));
  await until(() => fixture.api.callsOf(listLogEntries).at(-1)?.query["q"] === "7k3m 9qxw");
  await page
    .getByRole("button", { name: /jeb_|bot_48213/ })
    .first()
    .click();
  const details = page.getByRole("cell").filter({ hasText: "Example Telecom" }).last();
  await details.getByText("AS64500").waitFor();
  await expectSound(page, "open entry");
  await details.getByRole("button", { name: /^Show only 198/ }).click();
  await page.getByRole("button", { name: /^Remove filter: Address 198/ }).click();
  await until(() => !page.url().includes("ip="));
});

test("logins of Bedrock are named so, and can be shown alone", async () => {
  const facts = { edition: "bedrock", protocol: "766" };
  const login = { ...entry, edition: "bedrock" as const, version: null, protocol: 766, facts };
  fixture.api.change(listLogEntries, (answer) => ({ ...answer, data: [login], next_cursor: null }));
  const page = await fixture.open(logs, { width: 320 });
  const row = page.getByRole("row").filter({ hasText: "Bedrock" }).last();
  await row.getByRole("button", { name: new RegExp(login.player) }).click();
  await page.getByText("protocol 766").waitFor();
  await expectSound(page, "entry of Bedrock");
  await page.getByRole("button", { name: "Show only Bedrock" }).click();
  await until(() => fixture.api.callsOf(listLogEntries).at(-1)?.query["edition"] === "bedrock");
  expect(await page.getByLabel("Edition").inputValue()).toBe("bedrock");
});

test("only visible rows of a long list exist, and older pages follow", async () => {
  const data = livelyLog(entry, "en", 100);
  fixture.api.change(listLogEntries, () => {
    const asked = fixture.api.callsOf(listLogEntries).at(-1)?.query["cursor"];
    const next = asked === undefined ? usual.next_cursor : null;
    return {
      ...usual,
      data: asked === undefined ? data : livelyLog(entry, "en", 200).slice(100),
      next_cursor: next,
    };
  });
  const page = await fixture.open(logs);
  const rows = page.getByRole("table", { name: "Logins" }).getByRole("row");
  expect(await rows.count()).toBeLessThan(60);
  await rows.last().scrollIntoViewIfNeeded();
  await until(async () => {
    await rows.last().scrollIntoViewIfNeeded();
    return (await page.getByText("These are all entries.").count()) === 1;
  });
});

test("one click blocks an address, turning the list on only when the owner agrees", async () => {
  show();
  fixture.api.change(routes.firewall.getFirewall, (firewall) => ({
    ...firewall,
    ip_blacklist_enabled: false,
    ip_whitelist_enabled: true,
  }));
  const page = await fixture.open(logs, { width: 390 });
  await page
    .getByRole("button", { name: /, x: Anti-VPN/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Block 2001:db8:85a3:1234::/64" }).click();
  const dialog = page.getByRole("dialog", { name: "The blacklist is off" });
  await expectSound(page, "list that is off");
  await dialog.getByRole("button", { name: "Turn on and add" }).click();
  const { addFirewallEntry, updateFirewall } = routes.firewall;
  await until(() => fixture.api.callsOf(addFirewallEntry).length === 1);
  expect(fixture.api.callsOf(updateFirewall)[0]?.body).toEqual({ ip_blacklist_enabled: true });
  expect(fixture.api.callsOf(addFirewallEntry)[0]?.body).toEqual({
    type: "blacklist",
    ip: "2001:db8:85a3:1234::/64",
  });
  await page.getByRole("button", { name: "Undo" }).waitFor();
  // On a phone, the toast lies over the page.
  await page.getByRole("button", { name: "Allow address" }).press("Enter");
  await until(() => fixture.api.callsOf(addFirewallEntry).length === 2);
  expect(fixture.api.callsOf(updateFirewall)).toHaveLength(1);
});

test("one click blocks a name; one that is allowed is asked about, because any player may use it", async () => {
  show();
  fixture.api.change(routes.firewall.getFirewall, (firewall) => ({
    ...firewall,
    ip_blacklist_enabled: true,
    ip_whitelist_enabled: true,
  }));
  const page = await fixture.open(logs);
  await page
    .getByRole("button", { name: /, Anna: / })
    .first()
    .click();
  await page.getByRole("button", { name: "Block name" }).click();
  const { addFirewallEntry } = routes.firewall;
  await until(() => fixture.api.callsOf(addFirewallEntry).length === 1);
  await page.getByRole("button", { name: "Allow name" }).click();
  const dialog = page.getByRole("dialog", { name: "Allow the name Anna" });
  await dialog.getByText(/a server in offline mode lets them in/).waitFor();
  await expectSound(page, "name to allow");
  await dialog.getByRole("button", { name: "Allow name" }).click();
  await until(() => fixture.api.callsOf(addFirewallEntry).length === 2);
  expect(fixture.api.callsOf(addFirewallEntry).map(({ body }) => body)).toEqual([
    { type: "blacklist", ip: "Anna" },
    { type: "whitelist", ip: "Anna" },
  ]);
});

test("the live log shows arriving entries, holds them while paused, and goes on", async () => {
  const entries = livelyLog(entry, "en", 3).map((each) => ({ ...each, ip: "198.51.100.1" }));
  let arriving: TailLine[] = [{ kind: "entries", entries }];
  fixture.api.change(tailLogEntries, () => {
    const lines = [...arriving, { kind: "end" }];
    return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  });
  const page = await fixture.open(`${logs}?live=on`, { unsettled: true });
  await page.getByRole("button", { name: /jeb_/ }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  arriving = [{ kind: "entries", entries: [{ ...entry, id: logId(900), player: "Newcomer" }] }];
  await page.getByRole("button", { name: "Show 1 new entry" }).waitFor();
  expect(await page.getByRole("button", { name: /Newcomer/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /Newcomer/ }).waitFor();
  fixture.api.cut(tailLogEntries);
  await page.getByText("Connection lost. Trying again…").waitFor();
  expect(await page.getByRole("button", { name: /Newcomer/ }).count()).toBe(1);
});

test("the interval is saved at once, and goes back where it could not be", async () => {
  show();
  fixture.api.change(updateLogSettings, ({ logs: settings }) => ({
    message: "Interval updated",
    logs: { ...settings, logs_refresh_interval: 60 },
  }));
  const page = await fixture.open(logs);
  const select = page.getByLabel("Choose time");
  await select.selectOption("60");
  await page.getByText("Interval updated").waitFor();
  fixture.api.cut(updateLogSettings);
  await select.selectOption("0");
  await page.getByRole("alert").filter({ hasText: "Failed to update interval" }).waitFor();
  expect(await select.inputValue()).toBe("60");
});

test("a member without the right to addresses is told, and can neither block nor erase", async () => {
  const data = livelyLog(entry, "ru", 5).map((each) => ({ ...each, ip: "198.51.*.*" }));
  fixture.api.change(listLogEntries, () => ({
    ...usual,
    data,
    addresses: false,
    next_cursor: null,
  }));
  const rights = roleRights.viewer;
  fixture.state.shield = { ...fixture.state.shield, role: "member", member_role: "viewer", rights };
  const page = await fixture.open(logs, { width: 320, locale: "ru", theme: "light" });
  await page.getByText("Ваша роль скрывает часть адресов.").waitFor();
  await page.getByRole("button", { name: /Notch/ }).first().click();
  await page.getByRole("button", { name: "Скопировать код отслеживания" }).waitFor();
  for (const name of [/Заблокировать/, /Разрешить/, /Удалить/]) {
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  }
  await expectSound(page, "log of a viewer");
});

test("an owner erases a player, and an export that fails says so", async () => {
  show();
  fixture.api.refuse(exportLogEntries, "rate_limited");
  const page = await fixture.open(logs);
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.getByRole("alert").filter({ hasText: "Too many requests" }).waitFor();
  await page.getByRole("button", { name: "Erase a player" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase a player" });
  await dialog.getByLabel("Player").fill("Notch");
  await expectSound(page, "erasing a player");
  await dialog.getByRole("button", { name: "Erase", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  expect(fixture.api.callsOf(erasePlayer)[0]?.body).toEqual({ player: "Notch" });
});
