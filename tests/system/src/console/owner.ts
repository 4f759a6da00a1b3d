import type { Page } from "playwright-core";
import { mailedCode } from "../product/account.ts";

/** Steps of an owner in the console, found by the texts of the screen. */

export async function register(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/register");
  await page.getByRole("heading", { name: "Register" }).waitFor();
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Repeat password").fill(password);
  await page.getByLabel("I accept the terms and the privacy policy").check();
  await page.getByRole("button", { name: "Register" }).click();
}

/** Types the code from the mailbox. */
export async function confirm(page: Page, consoleUrl: string, email: string): Promise<void> {
  await page.waitForURL("**/confirm");
  await page.getByRole("textbox", { name: "Code" }).fill(await mailedCode(consoleUrl, email));
  await page.getByRole("button", { name: "Confirm" }).click();
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.waitForURL("**/login**");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL("**/dashboard");
}

export async function openShield(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await page.waitForURL("**/dashboard/gameshield/**");
}

export async function openSection(page: Page, name: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link", { name, exact: true })
    .click();
}

/** The live figure of a panel of the overview. */
export function figure(page: Page, panel: string): Promise<string> {
  return page.getByRole("region", { name: panel }).locator("p").first().innerText();
}

/** Fills messages of a tab of the customization section and saves them. */
export async function setMessages(
  page: Page,
  tab: "Offline" | "Firewall",
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  await openSection(page, "Customization");
  await page.getByRole("navigation", { name: "Messages" }).getByRole("link", { name: tab }).click();
  for (const [label, text] of Object.entries(texts)) {
    await page.getByRole("textbox", { name: label, exact: true }).fill(text);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await receipt(page, "Messages updated");
}

/** Puts an address on the blacklist and waits for the receipt. */
export async function blacklist(page: Page, address: string): Promise<string> {
  await openSection(page, "Firewall");
  await page.getByRole("textbox", { name: "Address or name to block" }).fill(address);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page
    .getByRole("table", { name: "Blacklist" })
    .getByRole("cell", { name: address, exact: true })
    .waitFor();
  return receipt(page, `IP ${address} added successfully`);
}

/** The line that says on how many edges this change is applied, once it is on all of them. */
async function receipt(page: Page, change: string): Promise<string> {
  const banner = page
    .getByRole("status")
    .filter({ hasText: change })
    .filter({ hasText: /applied on 1\/1 edges in/ });
  await banner.waitFor();
  return banner.innerText();
}
