import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import type { AuthTexts } from "./texts.ts";

/** The auth pages, by what is written on them. */

export function heading(page: Page, name: string): Locator {
  return page.getByRole("heading", { level: 1, name, exact: true });
}

export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true });
}

export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

export function link(page: Page, name: string): Locator {
  return page.getByRole("link", { name, exact: true });
}

export async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

export async function expectPath(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}

export async function logIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
  texts: AuthTexts,
): Promise<void> {
  await field(page, texts.email).fill(email);
  await field(page, texts.password).fill(password);
  await button(page, texts.logIn).click();
}

/** Another page of the console as a link would open it: nothing is loaded anew. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
}

/** Toasts, which have a button to close them; other alerts stay where they are. */
export function toasts(page: Page): Locator {
  return page.locator("[role=alert]:has(button[aria-label])");
}

/** Errors stay until they are dismissed, and keep back what comes after the fifth. */
export async function dismissToasts(page: Page): Promise<void> {
  await page.evaluate(
    `for (const close of document.querySelectorAll("[role=alert] button[aria-label]")) close.click()`,
  );
  await until(async () => (await toasts(page).count()) === 0, { what: "a page without toasts" });
}
