import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound } from "@palisade/system-tests/screens/inspect";
import { tryAgain } from "@palisade/system-tests/console/try-again";
import type { BackendServer } from "@palisade/contract/http/backends";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { example } from "../stub-api/example-answer.ts";
import { expectSoundEverywhere } from "./ticket-pages.ts";

const shield = `/dashboard/gameshield/${exampleIds.shield}`;
const path = `${shield}/bedrock-geyser`;
const fixture = useConsole();
const { bedrock, backends } = routes;
const usual = example(bedrock.getBedrock);
const [port] = usual.ports;
const address = `${port?.domain}:${port?.port}`;

async function open(to = path, options: Parameters<typeof fixture.page>[0] = {}): Promise<Page> {
  const page = await fixture.page(options);
  await page.goto(to);
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the section has a tab", async () => {
  const page = await open();
  await page.getByRole("heading", { name: "Ports" }).waitFor();
  const tab = page.getByRole("link", { name: "Bedrock/Geyser" });
  expect(await tab.getAttribute("aria-current")).toBe("page");
});

describe.each(sampledAppearances)("in the $theme theme, language $locale", (look) => {
  test("every state is sound at each width", async () => {
    const page = await open(path, look);
    await page.getByText(`:${port?.port}`).first().waitFor();
    await expectSoundEverywhere(page, `bedrock ${look.theme} ${look.locale}`);
    fixture.api.change(bedrock.getBedrock, (answer) => ({
      ...answer,
      ports: [],
      bedrock_enabled: false,
      needs_upgrade: true,
      add_random_available: false,
      request_default_available: false,
      edge_addresses: [],
    }));
    await page.reload();
    await page.locator("main .tabler-icon-lock").first().waitFor();
    await expectSoundEverywhere(page, `bedrock without a plan ${look.theme} ${look.locale}`);
  });
});

test("ports that cannot be read say so, and load again", async () => {
  fixture.api.cut(bedrock.getBedrock);
  const page = await open();
  await page.getByText("Error fetching server ports").waitFor();
  await expectSound(page, "bedrock, failed");
  fixture.api.reset();
  await tryAgain(page);
  await page.getByText(`:${port?.port}`).first().waitFor();
});

test("buttons are there for what the api says is available", async () => {
  const page = await open();
  await button(page, "Add random port").waitFor();
  expect(await page.getByRole("button", { name: /^Add default port/ }).count()).toBe(0);
  const request = page.getByRole("link", { name: "Request the default port" });
  const href = new URL((await request.getAttribute("href")) ?? "", "http://console");
  expect([
    href.pathname,
    ...["new", "subject", "server"].map((name) => href.searchParams.get(name)),
  ]).toEqual([
    "/dashboard/support",
    "technical",
    "Default Bedrock port (19132)",
    exampleIds.shield,
  ]);
  fixture.api.change(bedrock.getBedrock, (answer) => ({
    ...answer,
    add_default_available: true,
    add_random_available: false,
    request_default_available: false,
  }));
  await page.reload();
  await page.getByRole("button", { name: "Add default port (19132)" }).waitFor();
  expect(await button(page, "Add random port").count()).toBe(0);
  expect(await request.count()).toBe(0);
});

test("a port is deleted once it is confirmed, by keyboard", async () => {
  fixture.api.change(bedrock.removePort, (answer) => ({
    ...answer,
    bedrock: { ...answer.bedrock, ports: [] },
  }));
  const page = await open(path, { width: 320 });
  await button(page, `Copy ${address}`).waitFor();
  await page.getByText(port?.id ?? "", { exact: true }).waitFor();
  const remove = button(page, `Delete port ${port?.port}`);
  await remove.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Delete port ${port?.port}?` });
  await dialog.getByText(address).waitFor();
  await expectSound(page, "deleting a port");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(fixture.api.callsOf(bedrock.removePort)).toEqual([]);
  await remove.click();
  await dialog.getByRole("button", { name: "Delete port", exact: true }).click();
  await page.getByText("No ports added yet.").waitFor();
  await expectSound(page, "no ports");
});

test("the toggle sends its choice, and says what closes while it is off", async () => {
  fixture.api.change(bedrock.updateBedrock, (answer) => ({
    ...answer,
    bedrock: { ...answer.bedrock, bedrock_enabled: false },
  }));
  const page = await open();
  await page.getByRole("switch", { name: "Players of Bedrock" }).click();
  await page.getByText("Bedrock is off, so these ports are closed.").waitFor();
  expect(fixture.api.callsOf(bedrock.updateBedrock)[0]?.body).toEqual({ bedrock_enabled: false });
});

test("a warning says that no server takes players while Bedrock is on, and leads to Backends", async () => {
  const text = "no server has a Bedrock port";
  fixture.api.change(bedrock.getBedrock, (answer) => ({ ...answer, has_server: false }));
  fixture.api.change(bedrock.updateBedrock, (answer) => ({
    ...answer,
    bedrock: { ...answer.bedrock, has_server: false, bedrock_enabled: false },
  }));
  const page = await open();
  const warning = page.getByRole("status").filter({ hasText: text });
  await warning.waitFor();
  const link = warning.getByRole("link", { name: "Backends" });
  expect(await link.getAttribute("href")).toBe(`${shield}/backends`);
  await expectSoundEverywhere(page, "bedrock without a server");
  await page.getByRole("switch", { name: "Players of Bedrock" }).click();
  await page.getByText("Bedrock is off, so these ports are closed.").waitFor();
  expect(await warning.count()).toBe(0);
  fixture.api.reset();
  await page.reload();
  await button(page, `Copy ${address}`).waitFor();
  expect(await page.getByText(text).count()).toBe(0);
});

test("the text for Geyser has the addresses of the edges, in both forms of its config.yml", async () => {
  const page = await open();
  const text = page.getByRole("region", { name: "Geyser config.yml", exact: true });
  const list = (indent: string) =>
    usual.edge_addresses.map((each) => `\n${indent}- "${each}"`).join("");
  const newer = `haproxy-protocol-whitelisted-ips:${list("      ")}`;
  expect(await text.innerText()).toContain(newer);
  await page.getByRole("tab", { name: "config-version 4" }).click();
  expect(await text.innerText()).toContain("enable-proxy-protocol: true");
  expect(await text.innerText()).toContain(`proxy-protocol-whitelisted-ips:${list("    ")}`);
});

test("a viewer reads and copies, and changes nothing", async () => {
  fixture.state.shield = {
    ...fixture.state.shield,
    role: "member",
    member_role: "viewer",
    rights: roleRights.viewer,
  };
  const page = await open(path, { width: 390 });
  await page.getByText("You may view this section.").waitFor();
  await button(page, `Copy ${address}`).waitFor();
  expect(await page.getByRole("switch").isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: /^(Add|Delete)/ }).count()).toBe(0);
  await expectSound(page, "bedrock of a viewer");
});

describe("the dialog of a server", () => {
  const edit = async (page: Page) => {
    await page
      .getByRole("button", { name: /^Edit 203/ })
      .first()
      .click();
    return page.getByRole("dialog", { name: "Edit server" });
  };

  test("takes the port for Bedrock and its PROXY; an invalid port is said beside it", async () => {
    const page = await open(`${shield}/backends`, { width: 320 });
    const dialog = await edit(page);
    const field = dialog.getByLabel("Bedrock port (UDP)");
    await field.fill("99999");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The Bedrock port must be a number from 1 to 65535").waitFor();
    await expectSound(page, "a port for Bedrock");
    await field.fill("19133");
    await dialog.getByLabel("PROXY protocol for Bedrock").selectOption("every");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(fixture.api.callsOf(backends.updateBackendServer)[0]?.body).toMatchObject({
      bedrock_port: 19_133,
      bedrock_proxy: "every",
    });
  });

  test("has neither without Bedrock in the plan, and leaves both as they are", async () => {
    fixture.state.backends = { ...fixture.state.backends, bedrock_available: false };
    const page = await open(`${shield}/backends`);
    const dialog = await edit(page);
    await dialog.getByLabel("Port", { exact: true }).waitFor();
    expect(await dialog.getByLabel("Bedrock port (UDP)").count()).toBe(0);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(fixture.api.callsOf(backends.updateBackendServer)[0]?.body).not.toHaveProperty(
      "bedrock_port",
    );
  });
});

describe.each(sampledAppearances)("a server in the $theme theme, language $locale", (look) => {
  type Health = NonNullable<BackendServer["bedrock_health"]>;
  const usualHealth: Health = {
    state: "up",
    edges_up: 2,
    edges_down: 0,
    players: 3,
    latency_ms: 9,
    last_error: null,
    changed_at: null,
  };

  function answerAs(health: Partial<Health> | null): void {
    const answer = example(backends.getBackends);
    fixture.state.backends = {
      ...answer,
      backends: answer.backends.map((group) => ({
        ...group,
        ips: group.ips.map((server) => ({
          ...server,
          bedrock_port: health === null ? null : 19_132,
          bedrock_health: health && { ...usualHealth, ...health },
        })),
      })),
    };
  }

  test("shows how its Bedrock port is, apart from its port for Java", async () => {
    const words =
      look.locale === "en"
        ? { up: /Bedrock.*Online.*3 players.*9 ms/, part: "Reachable from 1 of 2 edges" }
        : { up: /Bedrock.*В сети.*3 игрока.*9 мс/, part: "Доступен с 1 из 2" };
    answerAs({});
    const page = await open(`${shield}/backends`, look);
    const row = page.locator("li[data-address]").first();
    await row.filter({ hasText: words.up }).waitFor();
    await expectSoundEverywhere(page, `Bedrock port that is up ${look.theme} ${look.locale}`);
    answerAs({ edges_up: 1, edges_down: 1, last_error: "Does not answer" });
    await page.reload();
    await row.getByText(words.part).waitFor();
    await row.getByText("Does not answer").waitFor();
    await expectSoundEverywhere(page, `Bedrock port of one edge ${look.theme} ${look.locale}`);
    const unknown = { edges_up: 0, players: 0, latency_ms: null };
    answerAs({ ...unknown, state: "down", edges_down: 2, last_error: "Refuses connections" });
    await page.reload();
    await row.getByText("Refuses connections").waitFor();
    await expectSoundEverywhere(page, `Bedrock port that is down ${look.theme} ${look.locale}`);
    answerAs(null);
    await page.reload();
    await row.waitFor();
    expect(await row.getByText("Bedrock").count()).toBe(0);
  });
});
