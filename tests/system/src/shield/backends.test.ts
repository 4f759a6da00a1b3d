import { backendRoutes } from "@palisade/contract/http/backends";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pingStatus } from "../minecraft/java-client.ts";
import { startGameServer, type GameServer } from "../minecraft/peers.ts";
import {
  buyShield,
  startOverviewFixture,
  shieldPath,
  type OverviewFixture,
} from "../overview/fixture.ts";
import { expectSound, watchForErrors } from "../screens/inspect.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";
import { hasFocus, tabTo } from "../wizard/keyboard.ts";

/**
 * The Backends section with a real edge and a real server behind: what is clicked here is where
 * players go. Each test has a new shield.
 */

let fixture: OverviewFixture;
let game: GameServer;
let owner: TestAccount;
let shieldId: string;
let domain: string;
let serial = 0;

beforeAll(async () => {
  [fixture, game] = await Promise.all([startOverviewFixture(), startGameServer("Skyline is up")]);
  owner = await createAccount(fixture.palisade.consoleUrl, "backends@example.com");
  await fixture.credit(owner, "50");
});

beforeEach(async () => {
  domain = `backends${(serial += 1)}.example.test`;
  shieldId = await buyShield(owner, { plan: "Plus", name: "Skyline", domain, port: game.port });
});

afterEach(() => fixture.closePages());

afterAll(async () => {
  await game?.kill();
  await fixture?.end();
});

const group = (page: Page, name: string): Locator =>
  page
    .getByRole("list", { name: "Backend groups" })
    .locator(":scope > li")
    .filter({
      has: page.getByRole("button", { name, exact: true }),
    });
const row = (page: Page, port: number): Locator =>
  page.locator(`[data-address="127.0.0.1:${port}"]`);
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole("dialog", { name });
const applied = (page: Page, what: string): Promise<void> =>
  page.getByText(`${what}: applied on 1/1 edges`, { exact: false }).waitFor();

/** The edge looks at a server that players ask for; until then it leaves it alone. */
async function askUntilShown(shown: Locator): Promise<void> {
  await until(
    async () => {
      await pingStatus({ edge: fixture.palisade.java, host: domain }).catch(() => null);
      return (await shown.count()) > 0;
    },
    { everyMs: 250, capMs: 90_000, what: `${shown.toString()} on the page` },
  );
}

async function readGroups() {
  return (await owner.call(backendRoutes.getBackends, { params: { id: shieldId } })).data.backends;
}

describe("the owner's backends", () => {
  test("are made, changed and taken away, and the edge follows each step", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId, "/backends"));
    const errors = watchForErrors(page, /4(12|22)|ERR_NETWORK|Failed to load/);
    await askUntilShown(row(page, game.port).getByText("Online", { exact: true }));
    await group(page, "Default").getByText("default", { exact: true }).waitFor();
    await expectSound(page, "the list");

    // A group, by keyboard.
    await tabTo(page, page.getByRole("button", { name: "Create group" }));
    await page.keyboard.press("Enter");
    const creating = dialog(page, "Create group");
    const name = creating.getByRole("textbox", { name: "Name" });
    await creating.getByRole("button", { name: "Create group" }).click();
    await creating.getByText("Name is required").waitFor();
    await hasFocus(page, name);
    await name.fill("Lobby");
    await creating.getByRole("combobox", { name: "Region" }).selectOption("This machine");
    await creating.getByRole("combobox", { name: "Load balancing" }).selectOption("IP Hash");
    await expectSound(page, "the dialog of a group");
    await name.press("Enter");
    await applied(page, "Backend group created successfully");
    const lobby = group(page, "Lobby");
    await lobby.getByText("no backends in this group, please add one").waitFor();
    await lobby.getByText("IP Hash").waitFor();
    expect(await row(page, game.port).count()).toBe(0);

    // A server: refused in the words of the rule, then added, moved, removed and put back.
    await lobby.getByRole("button", { name: "Add server to Lobby" }).click();
    const adding = dialog(page, "Add server to Lobby");
    await adding.locator("[name=port]").fill("99999");
    await adding.getByRole("button", { name: "Add server" }).click();
    await adding.getByText("IP is required").waitFor();
    await adding.getByText("The port field must be a valid port number.").waitFor();
    await adding.getByRole("textbox", { name: "IP" }).fill("127.0.0.1");
    await adding.locator("[name=port]").fill("4009");
    await expectSound(page, "the dialog of a server");
    await page.keyboard.press("Enter");
    await applied(page, "Backend IP added successfully");
    await row(page, 4_009).getByRole("button", { name: "Edit 127.0.0.1:4009" }).click();
    const editing = dialog(page, "Edit server");
    await editing.locator("[name=port]").fill(String(game.port));
    await page.keyboard.press("Enter");
    await applied(page, "Backend updated successfully");
    await row(page, game.port)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await applied(page, "Backend deleted successfully");
    await lobby.getByText("no backends in this group, please add one").waitFor();
    await hasFocus(page, lobby.getByRole("button", { name: "Lobby", exact: true }));
    await page.getByRole("button", { name: "Undo" }).click();
    await applied(page, "Backend IP added successfully");

    // The default group cannot go; once another is, it can.
    await page.getByRole("button", { name: /^Delete group Default:/ }).press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Edit group Lobby" }).click();
    const changing = dialog(page, "Edit group");
    await changing.locator(":focus").waitFor();
    await changing.getByRole("switch", { name: "Default group" }).press("Space");
    await changing.getByRole("button", { name: "Save" }).click();
    await applied(page, "Backend group updated successfully");
    await lobby.getByText("default", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete group Default", exact: true }).click();
    await dialog(page, "Delete Default?").getByRole("button", { name: "Delete group" }).click();
    await applied(page, "Backend group deleted successfully");
    await group(page, "Default").waitFor({ state: "detached" });
    const { java } = fixture.palisade;
    const answer = await pingStatus({ edge: java, host: domain });
    expect(JSON.stringify(answer)).toContain("Skyline is up");

    // A server that stops is told with the reason, and so is its return.
    const { port } = game;
    await game.kill();
    await askUntilShown(row(page, port).getByText("Offline", { exact: true }));
    await row(page, port).getByText("Refuses connections").waitFor();
    await expectSound(page, "a server that is down");
    game = await startGameServer("Skyline is up", { atPort: port });
    await askUntilShown(row(page, port).getByText("Online", { exact: true }));

    // Two people at once: nothing of either is lost.
    await page.getByRole("button", { name: "Edit group Lobby" }).click();
    const typed = changing.getByRole("textbox", { name: "Name" });
    await typed.fill("Hub");
    const [mine] = await readGroups();
    await owner.call(backendRoutes.updateBackendGroup, {
      params: { id: shieldId, backendId: mine?.id ?? "" },
      body: { load_balancing: "random" },
    });
    await typed.press("Enter");
    await changing.getByText("Another user changed this in the meantime.").waitFor();
    await changing.getByText("Load balancing: Random").waitFor();
    expect(await typed.inputValue()).toBe("Hub");
    await expectSound(page, "a conflict");
    await typed.press("Enter");
    await applied(page, "Backend group updated successfully");
    expect(await readGroups()).toMatchObject([{ name: "Hub", load_balancing: "random" }]);

    // Another game: its port is there to be copied.
    await page.getByRole("button", { name: "Create group" }).click();
    await name.fill("Rust");
    await creating.getByRole("combobox", { name: "Game" }).selectOption("Other");
    await name.press("Enter");
    await applied(page, "Backend group created successfully");
    await group(page, "Rust")
      .getByRole("button", { name: /^Copy port 30\d\d\d$/ })
      .waitFor();

    await page.getByRole("link", { name: "Origin lockdown" }).click();
    await page.getByRole("region", { name: "palisade.nft" }).waitFor();
    await page.getByRole("tab", { name: "nftables" }).press("ArrowRight");
    const rules = page.getByRole("region", { name: "palisade-iptables.sh" });
    expect(await rules.textContent()).toContain(`--dports ${port}`);
    await page.getByRole("button", { name: "Copy 127.0.0.1" }).waitFor();
    const download = page.getByRole("link", { name: "Download" });
    const href = (await download.getAttribute("href")) ?? "";
    const list = await fetch(new URL(href, fixture.palisade.consoleUrl));
    expect(await list.text()).toBe("127.0.0.1\n");
    await expectSound(page, "the origin");
    expect(errors).toEqual([]);
  });

  test("that expect PROXY protocol offer to turn it on for their group", async () => {
    const page = await fixture.open(owner, shieldPath(shieldId, "/backends"), {
      prepare: (opened) =>
        opened.route("**/api/v1/servers/*/backends", async (call) => {
          const answer = await call.fetch();
          const body = (await answer.json()) as { backends: { ips: { health: object }[] }[] };
          for (const server of body.backends.flatMap(({ ips }) => ips)) {
            Object.assign(server.health, {
              state: "down",
              last_error: "This server expects PROXY protocol. Turn it on for the group",
              expects_proxy: true,
            });
          }
          return call.fulfill({ response: answer, json: body });
        }),
    });
    await page.getByText("This server expects PROXY protocol.").first().waitFor();
    await expectSound(page, "a server that expects PROXY protocol");
    await page.getByRole("button", { name: "Turn on PROXY protocol" }).first().click();
    await applied(page, "Backend group updated successfully");
    const groups = await readGroups();
    expect(groups.filter(({ proxy_protocol: isOn }) => isOn)).toHaveLength(1);
  });

  test("read well in Russian on the narrowest phone", async () => {
    await owner.call(backendRoutes.createBackendGroup, {
      params: { id: shieldId },
      body: { name: "Hub" },
    });
    const look = { locale: "ru", theme: "light", width: 320 } as const;
    const page = await fixture.open(owner, shieldPath(shieldId, "/backends"), look);
    await page.getByText("по умолчанию", { exact: true }).waitFor();
    await expectSound(page, "the groups in Russian");
    await page.getByRole("button", { name: "Изменить группу Hub" }).click();
    await dialog(page, "Изменить группу").getByText("Балансировка нагрузки").waitFor();
    await expectSound(page, "the dialog in Russian");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Защита исходного сервера" }).click();
    await page.getByRole("heading", { name: "Правила файрвола" }).waitFor();
    await expectSound(page, "the origin in Russian");
  });
});
