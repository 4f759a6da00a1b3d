import type { Page } from "playwright-core";

/** Opens the modal of a top-up from the page itself, in either language. */
export async function openRecharge(page: Page): Promise<ReturnType<Page["getByRole"]>> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^(Recharge balance|Пополнить баланс)$/ })
    .first()
    .click();
  const modal = page.getByRole("dialog", { name: /^(Recharge balance|Пополнить баланс)$/ });
  await modal.getByRole("radio").first().waitFor();
  return modal;
}
