import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { launchBrowser } from "@palisade/system-tests/console/browser";
import { createConsolePages } from "@palisade/system-tests/console/pages";
import type { Appearance } from "@palisade/system-tests/screens/accounts";
import { screensOf } from "@palisade/system-tests/screens/catalogue";
import { settled } from "@palisade/system-tests/screens/inspect";
import type { Page } from "playwright-core";
import { startConsoleServer } from "../console-server.ts";
import {
  becomeNewcomer,
  createAccountState,
  planIds,
  type AccountState,
} from "../stub-api/account-state.ts";
import { example } from "../stub-api/example-answer.ts";
import { handleAccountRoutes } from "../stub-api/handlers.ts";
import { accessToken, StubApi } from "../stub-api/stub-api.ts";
import { StubLiveChannel } from "../stub-api/stub-live-channel.ts";
import { dialogs, type Dialog } from "./dialogs.ts";
import { datagramAttack } from "./lively-attack.ts";
import { makeLively } from "./lively-account.ts";
import { translator } from "./translate.ts";

/**
 * Pictures of every page, step and dialog of the console against the stub api, in both languages
 * and widths: `node tests/console/src/screens/screenshots.ts [folder] [part of a name]`.
 * Prints the pages that are wider than the window or name a text's key; it fails if there is one.
 */

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly as: "stranger" | "newcomer" | "owner";
  readonly arrange?: ((api: StubApi, state: AccountState) => void) | undefined;
  readonly shows?: Dialog["shows"] | undefined;
  readonly open?: ((page: Page, t: ReturnType<typeof translator>) => Promise<void>) | undefined;
}

/** For what a click opens; only a fault reaches it. */
const waitMs = 10_000;
const widths = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const themesOfAll = ["dark"] as const;
/** Pages that show every colour: these are pictured in the light theme as well. */
const inBothThemes = new Set([
  "landing",
  "analytics",
  "attack",
  "attack of datagrams",
  "attacks of datagrams",
  "bedrock",
  "backends",
  "shared attack",
  "logs",
  "notifications",
  "dashboard",
  "overview",
  "login",
  "mitigation",
  "replay",
  "firewall",
  "billing",
  "invoices",
  "support plans",
  "support",
  "new ticket",
  "ticket",
]);
const unfinishedSteps = {
  register_data: JSON.stringify({ email: "new@example.com" }),
  reset_email: "new@example.com",
};
const draft = {
  pricing_plan_id: planIds.free,
  server_name: "Skyline Survival",
  real_ip: "203.0.113.10",
  real_port: "25565",
  location: "frankfurt",
  domain: "play.example.com",
  free_domain: "play.example.com",
  cname_record: example(routes.servers.generateCname).cname_record,
  price_cents: 0,
  submit: null,
};

/** Runs in the page, whose types this package does not have. */
const findFaults = `(() => {
  const { documentElement: root, body } = document;
  const all = [...body.querySelectorAll("*")];
  const isWide = root.scrollWidth > root.clientWidth;
  const wide = all
    .filter((element) => isWide && element.getBoundingClientRect().right > root.clientWidth + 1)
    .slice(0, 3)
    .map((element) => "reaches too far right: " + element.outerHTML.slice(0, 120));
  const cut = all
    .filter((element) => element.matches("h1, h2, h3, p, label, button, a, th, td, span"))
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 2 && scrollWidth > clientWidth + 1)
    .filter((element) => getComputedStyle(element).overflowX === "hidden")
    .filter((element) => element.textContent !== "")
    .map((element) => "is cut: " + element.textContent.slice(0, 80));
  const unfilled = /\\b(undefined|NaN)\\b|\\[object/.exec(body.innerText);
  return [...wide, ...cut, ...(unfilled ? ["shows " + unfilled[0]] : [])];
})()`;

const pictures: readonly Picture[] = [
  { name: "landing", path: "/", as: "stranger" },
  { name: "terms", path: "/terms", as: "stranger" },
  { name: "privacy", path: "/privacy", as: "stranger" },
  ...screensOf(exampleIds.shield),
  ...[1, 2, 3, 4, 5, 6].map((step) => ({
    name: `setup step ${step}`,
    path: `/dashboard/setup?step=${step}`,
    as: "owner" as const,
  })),
  {
    name: "attack of datagrams",
    path: `/dashboard/gameshield/${exampleIds.shield}/attacks?attack=${exampleIds.shield}`,
    as: "owner",
    arrange: (stub) =>
      stub.change(routes.attacks.getAttack, ({ attack }) => ({ attack: datagramAttack(attack) })),
  },
  {
    name: "attacks of datagrams",
    path: `/dashboard/gameshield/${exampleIds.shield}/attacks`,
    as: "owner",
    arrange: (stub) =>
      stub.change(routes.attacks.listAttacks, ({ data, ...rest }) => ({
        ...rest,
        data: data.map((attack, n) => ({
          ...attack,
          peak_per_second: n === 0 ? 0 : attack.peak_per_second,
          datagrams_peak: 91_200,
          refused: n === 0 ? {} : attack.refused,
          relaxed_to: null,
        })),
      })),
  },
  { name: "setup records", path: "/dashboard/setup?step=5&part=records", as: "owner" },
  ...dialogs.map((dialog) => ({ ...dialog, as: "owner" as const })),
];

const [givenFolder, part = ""] = process.argv.slice(2);
const folder = givenFolder ?? (await mkdtemp(path.join(tmpdir(), "palisade-screens-")));
await mkdir(folder, { recursive: true });
const api = new StubApi();
const live = new StubLiveChannel();
let state = createAccountState();
handleAccountRoutes(api, () => state);
const [browser, server] = await Promise.all([launchBrowser(), startConsoleServer(api)]);
const pages = createConsolePages(browser, server.url);
const faults: string[] = [];

async function take(picture: Picture, look: Appearance, size: (typeof widths)[number]) {
  const { name, as } = picture;
  const label = `${name.replace(/\W+/g, "-")}-${look.locale}-${size.width}-${look.theme}`;
  state = createAccountState();
  if (as === "newcomer") {
    becomeNewcomer(state);
  } else makeLively(api, state, look.locale);
  picture.arrange?.(api, state);
  const page = await pages.page({
    ...look,
    width: size.width,
    ...(as === "stranger" ? { storage: unfinishedSteps } : { token: accessToken }),
  });
  page.setDefaultTimeout(waitMs);
  await live.serve(page);
  await page.setViewportSize(size);
  await page.addInitScript(
    (stored) => sessionStorage.setItem("setup_draft", stored),
    JSON.stringify(draft),
  );
  try {
    await page.goto(picture.path);
    await settled(page);
    await picture.open?.(page, translator(look.locale));
    if (picture.open)
      await page
        .getByRole(picture.shows ?? "dialog")
        .first()
        .waitFor();
    await settled(page);
    faults.push(...(await faultsOf(page)).map((fault) => `${label}: ${fault}`));
  } catch (error) {
    faults.push(`${label}: ${String(error).slice(0, 400)}`);
  }
  const file = path.join(folder, `${label}.png`);
  await page.screenshot({ path: file, fullPage: picture.open === undefined });
  faults.push(...api.violations.map((violation) => `${label}: ${violation}`));
  await pages.end();
  api.reset();
}

/** Elements that reach beyond the window or lose a part of their words, and values not filled in. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(findFaults);
}

try {
  for (const picture of pictures.filter(({ name }) => name.includes(part))) {
    const themes = inBothThemes.has(picture.name) ? (["dark", "light"] as const) : themesOfAll;
    for (const locale of ["en", "ru"] as const) {
      for (const size of widths) {
        for (const theme of themes) await take(picture, { theme, locale }, size);
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}
for (const fault of faults) console.error(fault);
console.log(`Pictures are in ${folder}`);
if (faults.length > 0) process.exitCode = 1;
