import type { Locale } from "@palisade/contract/texts/render";
import type { Locator, Page } from "playwright-core";
import { expectSound } from "../screens/inspect.ts";
import { messages } from "../spec/account-messages.ts";

/** The button that opens each dialog of the profile, and the dialog's title. */
const words = {
  en: {
    createKey: ["Create key", "Create API key"],
    stepUp: "Confirm that it is you",
    madeKey: "Your new API key",
    onSecurity: [
      ["Delete Discord bot", "Delete API key"],
      ["Regenerate", "Regenerate API key"],
      ["End all", "End all sessions"],
    ],
    onGeneral: [["Delete account", "Delete account"]],
    unsaved: "Unsaved changes",
    cancel: "Cancel",
    tabs: { discord: "Discord", general: "General", security: "Security" },
  },
  ru: {
    createKey: ["Создать ключ", "Создать API-ключ"],
    stepUp: "Подтвердите, что это вы",
    madeKey: "Ваш новый API-ключ",
    onSecurity: [
      ["Удалить Discord bot", "Удалить API-ключ"],
      ["Перевыпустить", "Перевыпуск API-ключа"],
      ["Завершить все", "Завершить все сеансы"],
    ],
    onGeneral: [["Удалить аккаунт", "Удалить аккаунт"]],
    unsaved: "Несохранённые изменения",
    cancel: "Отмена",
    tabs: { discord: "Discord", general: "Основное", security: "Безопасность" },
  },
} as const;

/**
 * Every dialog of the profile, and the tab of Discord, sound one after the other. Begins on the
 * security tab of an account that has a key and logged in too long ago to create another.
 */
export async function checkDialogs(page: Page, locale: Locale, password: string): Promise<void> {
  const say = words[locale];
  const button = (within: Page | Locator, name: string): Locator =>
    within.getByRole("button", { name, exact: true });
  const opened = async (title: string): Promise<Locator> => {
    const dialog = page.getByRole("dialog", { name: title, exact: true });
    await dialog.waitFor();
    return dialog;
  };
  const openTab = (name: string): Promise<void> =>
    page.getByRole("link", { name, exact: true }).click();
  const walk = async (dialogs: readonly (readonly [string, string])[]): Promise<void> => {
    for (const [opener, title] of dialogs) {
      await button(page, opener).click();
      const dialog = await opened(title);
      await expectSound(page, title);
      await button(dialog, say.cancel).click();
      await dialog.waitFor({ state: "detached" });
    }
  };

  const [create, createTitle] = say.createKey;
  await button(page, create).click();
  const form = await opened(createTitle);
  await button(form, create).click();
  await form.locator("[name=name][aria-invalid=true]").waitFor();
  await expectSound(page, createTitle);
  await form.locator("[name=name]").fill("Discord bot");
  await button(form, create).click();
  const question = await opened(say.stepUp);
  await question.locator("[name=step_up]").fill("not this one");
  await page.keyboard.press("Enter");
  await question.getByText(messages.refusals.wrongPassword[locale], { exact: true }).waitFor();
  await expectSound(page, say.stepUp);
  await question.locator("[name=step_up]").fill(password);
  await page.keyboard.press("Enter");
  const made = await opened(say.madeKey);
  await expectSound(page, say.madeKey);
  await made.getByRole("button").last().click();

  await walk(say.onSecurity);
  await openTab(say.tabs.discord);
  await page.locator("main a[target=_blank]").waitFor();
  await expectSound(page, say.tabs.discord);
  await openTab(say.tabs.general);
  await walk(say.onGeneral);
  await page.locator("[name=first_name]").fill("7");
  await openTab(say.tabs.security);
  await opened(say.unsaved);
  await expectSound(page, say.unsaved);
}
