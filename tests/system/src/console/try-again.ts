import type { Locator, Page } from "playwright-core";

/**
 * Loads again what could not be loaded and says so by now. The page tries by itself too, and may be
 * quicker than the click.
 *
 * @param within where the button is; nothing else there has one
 */
export async function tryAgain(within: Page | Locator, name = "Try again"): Promise<void> {
  const button = within.getByRole("button", { name });
  await Promise.race([
    button.click().catch(() => undefined),
    button.waitFor({ state: "detached" }).catch(() => undefined),
  ]);
}
