import type { Locator, Page } from "playwright-core";

/** The creation wizard, by what is written on the screen. */

export interface ShieldOptions {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly domain: string;
}

/** The texts of the wizard, by language. */
export const wizardTexts = {
  en: {
    steps: [
      "Choose plan",
      "Enter server name",
      "Add server IP",
      "Choose protection location",
      "Domain settings",
      "Confirmation",
    ],
    records: "Create the DNS record",
    next: "Next",
    back: "Back",
    check: "Check",
    skip: "Skip check",
    create: "Create GameShield",
    plan: "Plan",
    name: "Server name",
    address: "Real IP",
    port: "Real port",
    location: "Protection location",
    place: "This machine",
    domain: "Domain",
  },
  ru: {
    steps: [
      "Выбор тарифа",
      "Название сервера",
      "IP сервера",
      "Локация защиты",
      "Настройка домена",
      "Подтверждение",
    ],
    records: "Создайте DNS-запись",
    next: "Далее",
    back: "Назад",
    check: "Проверить",
    skip: "Пропустить проверку",
    create: "Создать GameShield",
    plan: "Тариф",
    name: "Название сервера",
    address: "Реальный IP",
    port: "Реальный порт",
    location: "Локация защиты",
    place: "Эта машина",
    domain: "Домен",
  },
} as const;

export type WizardTexts = (typeof wizardTexts)[keyof typeof wizardTexts];

/** The heading of a step, which is there once the step is. */
export function heading(page: Page, name: string): Locator {
  return page.getByRole("heading", { level: 2, name, exact: true });
}

export function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

export function textbox(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}

export async function choosePlan(
  page: Page,
  name: RegExp,
  texts: WizardTexts = wizardTexts.en,
): Promise<void> {
  const plans = page.getByRole("radiogroup", { name: texts.plan, exact: true });
  await plans.getByRole("radio", { name }).check();
  await button(page, texts.next).click();
  await heading(page, texts.steps[1]).waitFor();
}

export async function enterName(
  page: Page,
  name: string,
  texts: WizardTexts = wizardTexts.en,
): Promise<void> {
  await textbox(page, texts.name).fill(name);
  await button(page, texts.next).click();
  await heading(page, texts.steps[2]).waitFor();
}

export async function enterAddress(
  page: Page,
  { address, port }: Pick<ShieldOptions, "address" | "port">,
  texts: WizardTexts = wizardTexts.en,
): Promise<void> {
  await textbox(page, texts.address).fill(address);
  await textbox(page, texts.port).fill(String(port));
  await button(page, texts.next).click();
  await heading(page, texts.steps[3]).waitFor();
}

export async function chooseLocation(
  page: Page,
  texts: WizardTexts = wizardTexts.en,
): Promise<void> {
  const locations = page.getByRole("radiogroup", { name: texts.location });
  await locations.getByRole("radio", { name: texts.place }).check();
  await button(page, texts.next).click();
  await heading(page, texts.steps[4]).waitFor();
}

/**
 * Enters the domain and goes on to its records.
 *
 * @returns the CNAME target, below the zone
 */
export async function enterDomain(
  page: Page,
  domain: string,
  texts: WizardTexts = wizardTexts.en,
): Promise<string> {
  await textbox(page, texts.domain).fill(domain);
  await button(page, texts.next).click();
  await heading(page, texts.records).waitFor();
  const label = await cnameTarget(page).textContent();
  if (label === null) throw new Error("the records show no CNAME target");
  return label;
}

/** The records cannot be left before it is there. */
export function cnameTarget(page: Page): Locator {
  return page
    .locator("dd")
    .getByText(/^[a-z0-9]{12}\.gs\.localhost$/)
    .first();
}

export async function skipCheck(page: Page, texts: WizardTexts = wizardTexts.en): Promise<void> {
  await button(page, texts.skip).click();
  await heading(page, texts.steps[5]).waitFor();
}

/**
 * From the first step to the confirmation, on the plan given.
 *
 * @returns the label players may use as well
 */
export async function goToConfirmation(
  page: Page,
  options: ShieldOptions,
  { plan = /^Free/, texts = wizardTexts.en }: { plan?: RegExp; texts?: WizardTexts } = {},
): Promise<string> {
  await page.goto("/dashboard/setup");
  await choosePlan(page, plan, texts);
  await enterName(page, options.name, texts);
  await enterAddress(page, options, texts);
  await chooseLocation(page, texts);
  const label = await enterDomain(page, options.domain, texts);
  await skipCheck(page, texts);
  return label;
}

/**
 * Adds a server on the free plan at this machine's location.
 *
 * @returns the label players may use as well
 */
export async function createShield(page: Page, options: ShieldOptions): Promise<string> {
  const label = await goToConfirmation(page, options);
  await button(page, wizardTexts.en.create).click();
  await page.waitForURL("**/dashboard");
  return label;
}
