import { exampleIds } from "@palisade/contract/reference/example-story";
import { roleRights } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import type { Page } from "playwright-core";
import type { AccountState } from "../stub-api/account-state.ts";
import type { StubApi } from "../stub-api/stub-api.ts";
import { closedWith } from "../stub-api/ticket-examples.ts";
import { chooseFiles, textFile, ticketPath } from "./ticket-pages.ts";
import { leaveUnproven } from "./unproven-backends.ts";
import type { Translate } from "./translate.ts";

/** A dialog, menu or state that a press on a page of the signed-in owner opens. */
export interface Dialog {
  readonly name: string;
  readonly path: string;
  /** By its role; a dialog if it is left out. */
  readonly shows?: "menu" | "combobox" | "main";
  /** Arranges the answers of the api before the page loads. */
  readonly arrange?: (api: StubApi, state: AccountState) => void;
  readonly open: (page: Page, t: Translate) => Promise<void>;
}

const { account, servers, subUsers, backends, caching, twoFactor, passkeys } = routes;
const shield = `/dashboard/gameshield/${exampleIds.shield}`;
const security = "/dashboard/profile?tab=security";

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name, exact: true }).first().click();
}

/** Opens by the button of this name. */
function by(english: string, values?: Readonly<Record<string, string>>): Dialog["open"] {
  return (page, t) => press(page, t(english, values));
}

function fromMenu(english: string): Dialog["open"] {
  return async (page, t) => {
    await press(page, t("Options of the server"));
    await page.getByRole("menuitem", { name: t(english), exact: true }).click();
  };
}

/** Asks for the password or a code, as every account does some minutes after the login. */
function asksAgain(api: StubApi): void {
  api.refuse(account.exportAccount, "step_up_required");
}

function asksForPasskey(api: StubApi): void {
  asksAgain(api);
  api.change(twoFactor.beginStepUp, (usual) => ({ ...usual, factor: "passkey" as const }));
}

/** The example's picture is empty; this one has squares, as a QR code has. */
const squares = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><path d="M4 4h7v7H4zM18 4h7v7h-7zM4 18h7v7H4zM13 13h4v4h-4zM19 20h5v3h-5z"/></svg>`;

function isWithoutTwoFactor(api: StubApi): void {
  api.change(account.getProfile, (usual) => ({
    ...usual,
    profile: { ...usual.profile, two_factor_enabled: false },
  }));
  api.change(twoFactor.setUpTwoFactor, (usual) => ({
    ...usual,
    qr_code: `data:image/svg+xml;base64,${btoa(squares)}`,
  }));
}

function hasTwoGroups(api: StubApi): void {
  api.change(backends.getBackends, (usual) => ({
    ...usual,
    backends: usual.backends.flatMap((group) => [
      group,
      { ...group, id: exampleIds.plan, name: "Survival", default: false },
    ]),
  }));
}

/** An end of an entry may be ten years away at most. */
function inAYear(): string {
  return new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);
}

export const dialogs: readonly Dialog[] = [
  {
    name: "proof of a server",
    path: `${shield}/backends`,
    arrange: (_api, state) => leaveUnproven(state),
    open: (page, t) =>
      press(page, new RegExp(`^${t("How to prove it: {address}", { address: "" }).trim()}`)),
  },
  {
    name: "no proof of a server",
    path: `${shield}/backends`,
    arrange(api, state) {
      leaveUnproven(state);
      api.change(backends.checkBackendProof, (usual) => ({ ...usual, revision: null }));
    },
    async open(page, t) {
      await press(page, new RegExp(`^${t("How to prove it: {address}", { address: "" }).trim()}`));
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: t("Check again") }).click();
      await dialog.getByRole("status").waitFor();
    },
  },
  {
    name: "firewall of a viewer",
    path: `${shield}/firewall`,
    shows: "main",
    arrange(_api, state) {
      const { viewer: rights } = roleRights;
      state.shield = { ...state.shield, role: "member", member_role: "viewer", rights };
    },
    open: async () => {},
  },
  {
    name: "account menu",
    path: "/dashboard",
    shows: "menu",
    // On wide screens the e-mail address belongs to its name.
    open: (page, t) => press(page, new RegExp(`^${t("Account menu")}`)),
  },
  {
    name: "palette",
    path: "/dashboard",
    shows: "combobox",
    open: (page) => page.keyboard.press("Control+K"),
  },
  {
    name: "invitation",
    path: "/invitation#token=psi_8Zk1pQv4mT7xY2cW9bN3",
    shows: "main",
    open: async () => {},
  },
  { name: "recharge balance", path: "/dashboard/billing", open: by("Recharge balance") },
  { name: "add payment method", path: "/dashboard/billing", open: by("Add payment method") },
  { name: "delete account", path: "/dashboard/profile", open: by("Delete account") },
  {
    name: "confirm that it is you",
    path: "/dashboard/profile",
    arrange: asksAgain,
    open: by("Download my data"),
  },
  {
    name: "confirm with a passkey",
    path: "/dashboard/profile",
    arrange: asksForPasskey,
    open: by("Download my data"),
  },
  {
    name: "confirm with a backup code",
    path: "/dashboard/profile",
    arrange: asksForPasskey,
    async open(page, t) {
      await by("Download my data")(page, t);
      await page.getByRole("button", { name: t("Use a backup code") }).click();
    },
  },
  { name: "add passkey", path: security, open: by("Add passkey") },
  { name: "rename passkey", path: security, open: by("Rename {name}", { name: "Laptop" }) },
  { name: "remove passkey", path: security, open: by("Remove {name}", { name: "Laptop" }) },
  {
    name: "no passkeys",
    path: security,
    shows: "main",
    arrange: (api) => api.change(passkeys.listPasskeys, () => ({ passkeys: [] })),
    open: (page, t) => page.getByText(t("No passkeys")).scrollIntoViewIfNeeded(),
  },
  {
    name: "backup codes of passkeys",
    path: security,
    shows: "main",
    arrange: isWithoutTwoFactor,
    open: (page, t) => page.getByRole("list", { name: t("Backup codes") }).scrollIntoViewIfNeeded(),
  },
  {
    name: "two-factor set-up",
    path: security,
    shows: "main",
    arrange: isWithoutTwoFactor,
    open: (page) => page.getByRole("img").first().scrollIntoViewIfNeeded(),
  },
  { name: "create key", path: security, open: by("Create key") },
  {
    name: "key created",
    path: security,
    open: async (page, t) => {
      await press(page, t("Create key"));
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: t("Name"), exact: true }).fill("Discord bot");
      await dialog.getByRole("button", { name: t("Create key"), exact: true }).click();
      await dialog.getByText(t("Done"), { exact: true }).waitFor();
    },
  },
  { name: "delete key", path: security, open: by("Delete {name}", { name: "Discord bot" }) },
  { name: "regenerate key", path: security, open: by("Regenerate") },
  { name: "end all sessions", path: security, open: by("End all") },
  {
    name: "options of a shield",
    path: shield,
    shows: "menu",
    open: by("Options of the server"),
  },
  {
    name: "details of an invoice",
    path: "/dashboard/billing?tab=invoices",
    open: (page) => press(page, "INV-2026-000005"),
  },
  { name: "rename shield", path: shield, open: fromMenu("Rename") },
  { name: "delete shield", path: shield, open: fromMenu("Delete") },
  { name: "create group", path: `${shield}/backends`, open: by("Create group") },
  {
    name: "edit group",
    path: `${shield}/backends`,
    open: by("Edit group {name}", { name: "Lobby" }),
  },
  {
    name: "delete group",
    path: `${shield}/backends`,
    arrange: hasTwoGroups,
    open: by("Delete group {name}", { name: "Survival" }),
  },
  {
    name: "add backend",
    path: `${shield}/backends`,
    open: by("Add server to {name}", { name: "Lobby" }),
  },
  {
    name: "edit backend",
    path: `${shield}/backends`,
    open: by("Edit {address}", { address: "203.0.113.10:25565" }),
  },
  { name: "add domain", path: `${shield}/domains`, open: by("Add domain") },
  {
    name: "records",
    path: `${shield}/domains`,
    open: by("DNS records of {name}", { name: "play.example.com" }),
  },
  {
    name: "SRV record",
    path: `${shield}/domains`,
    open: async (page, t) => {
      await press(page, t("DNS records of {name}", { name: "play.example.com" }));
      await page.getByRole("tab", { name: t("SRV Record") }).click();
    },
  },
  { name: "add sub user", path: `${shield}/subusers`, open: by("Add sub user") },
  {
    name: "remove sub user",
    path: `${shield}/subusers`,
    arrange: (api) =>
      api.change(subUsers.listSubUsers, ({ sub_users: [one], ...rest }) => ({
        ...rest,
        sub_users: one ? [{ ...one, status: "active" as const }] : [],
      })),
    open: async (page, t) => {
      const [named = ""] = t("Remove {email}").split("{");
      await page.getByRole("button", { name: named }).first().click();
    },
  },
  {
    name: "leave shield",
    path: `${shield}/subusers`,
    arrange: (_api, state) => {
      state.shield = { ...state.shield, role: "member" };
    },
    open: by("Leave this shield"),
  },
  {
    name: "change role",
    path: `${shield}/subusers`,
    open: async (page, t) => {
      const [named = ""] = t("Change the role of {email}").split("{");
      await page.getByRole("button", { name: named }).first().click();
      await page.getByRole("dialog").getByLabel(t("Role"), { exact: true }).selectOption("custom");
    },
  },
  {
    name: "changes of a group and a member",
    path: `${shield}/history`,
    shows: "main",
    async open(page) {
      for (const row of ["Lobby", "m***@example.com"]) {
        await page.locator("main summary").filter({ hasText: row }).click();
      }
      await page.locator("main summary").filter({ hasText: "Lobby" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "compare settings",
    path: `${shield}/history`,
    open: async (page, t) => {
      await page.locator("main summary").nth(2).click();
      await page.getByRole("button", { name: t("Compare and restore") }).click();
    },
  },
  { name: "add webhook", path: `${shield}/notifications`, open: by("Add webhook") },
  { name: "edit webhook", path: `${shield}/notifications`, open: by("Edit") },
  {
    name: "delete webhook",
    path: `${shield}/notifications`,
    open: by("Delete {url}", { url: "https://hooks.example.com/…" }),
  },
  {
    name: "deliveries",
    path: `${shield}/notifications`,
    async open(page, t) {
      await press(page, t("Deliveries"));
      await page.locator("dialog summary").first().click();
    },
  },
  {
    name: "secret of a webhook",
    path: `${shield}/notifications`,
    async open(page, t) {
      await press(page, t("Edit"));
      await press(page, t("New secret"));
      await page.getByRole("button", { name: t("I have stored it") }).waitFor();
    },
  },
  {
    name: "import",
    path: `${shield}/firewall?tab=whitelist`,
    async open(page, t) {
      await press(page, t("Import"));
      const field = page.getByRole("textbox", { name: t("Addresses, ranges and names") });
      await field.fill("203.0.113.5\nSteve\nAlex_2 # builder\n300.1.1.1");
      await page.getByRole("status").filter({ hasText: "300.1.1.1" }).waitFor();
    },
  },
  {
    name: "import of rules",
    path: `${shield}/firewall`,
    async open(page, t) {
      await press(page, t("Import"));
      const rules = [
        "cidr,whitelist,note,expires",
        `203.0.113.0/24,false,Bots of Sunday,${inAYear()}`,
        "198.51.100.7,true,,",
        "198.51.100.8,false,,2020-01-01",
        "2001:db8::/20,false,,",
      ];
      const field = page.getByRole("textbox", { name: t("Addresses, ranges and names") });
      await field.fill(rules.join("\n"));
      await page.getByRole("status").filter({ hasText: "Bots of Sunday" }).waitFor();
    },
  },
  {
    name: "edit an entry",
    path: `${shield}/firewall`,
    shows: "main",
    async open(page) {
      await page.locator("td[data-part=actions] button:has(.tabler-icon-pencil)").first().click();
      await page.locator("form select[name=lasts]").last().selectOption("date");
      await page.locator("tr [name=expires_at]").waitFor();
    },
  },
  { name: "empty the list", path: `${shield}/firewall`, open: by("Remove all") },
  {
    name: "upgrade plan",
    path: `${shield}/caching`,
    arrange: (api) =>
      api.change(caching.getCaching, (usual) => ({ ...usual, needs_upgrade: true })),
    open: by("Upgrade plan"),
  },
  {
    name: "replay",
    path: `${shield}/mitigation?tab=miscellaneous`,
    open: async (page, t) => {
      await page.getByRole("switch", { name: "Anti-Forge" }).click();
      await press(page, t("What would this do?"));
      await page.getByRole("dialog").getByText(t("With your changes")).waitFor();
    },
  },
  {
    name: "unsaved changes",
    path: "/dashboard/profile",
    open: async (page, t) => {
      await page.getByRole("textbox", { name: t("City"), exact: true }).fill("Hamburg");
      const breadcrumbs = page.getByRole("navigation", { name: t("Breadcrumbs") });
      await breadcrumbs.getByRole("link").first().click();
    },
  },
  {
    name: "close a ticket",
    path: ticketPath,
    open: (page) => press(page, /^(Close|Закрыть)$/),
  },
  {
    name: "closed ticket",
    path: ticketPath,
    arrange: (_api, state) => {
      const until = new Date(Date.now() + 3 * 86_400_000).toISOString();
      state.tickets = state.tickets.map((ticket) => ({ ...ticket, ...closedWith(until) }));
    },
    shows: "main",
    open: (page, t) => page.getByRole("radio", { name: t("Very good"), exact: true }).check(),
  },
  {
    name: "refused files",
    path: ticketPath,
    shows: "main",
    open: async (page) => {
      await chooseFiles(page, [textFile("latest.log"), textFile("paper.pdf")]);
      await page.getByRole("main").getByRole("alert").waitFor();
    },
  },
  {
    name: "expired shield",
    path: shield,
    arrange: (_api, state) => {
      state.shield = { ...state.shield, status: "expired" };
    },
    shows: "main",
    open: async () => {},
  },
  {
    name: "receipt",
    shows: "main",
    path: `${shield}/firewall`,
    arrange: (api) =>
      api.change(servers.getPropagation, (usual) => ({
        ...usual,
        edges_total: 3,
        edges_applied: 3,
      })),
    open: async (page, t) => {
      await page.getByRole("textbox", { name: t("Address or name to block") }).fill("192.0.2.1");
      await press(page, t("Add"));
      await page.getByRole("status").filter({ hasText: "3/3" }).waitFor();
    },
  },
];
