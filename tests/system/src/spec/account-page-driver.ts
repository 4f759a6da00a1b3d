import type { Locale } from "@palisade/contract/texts/render";
import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { dismissToasts, expectPath, follow } from "../auth/auth-pages.ts";
import { accountForms, rulesOf, type AccountForm } from "./account-forms.ts";
import { allMessages, type Message } from "./account-messages.ts";
import { familyOf } from "./route-families.ts";
import type { FieldRule, Texts } from "./rules.ts";

/** Uses the account pages and notes which rows of the tables the pages have shown. */
export type AccountPageDriver = ReturnType<typeof createAccountPageDriver>;

/** An answer without a message of its own: the page must show its own text. */
const wordlessAnswer = { status: 502, contentType: "text/html", body: "Bad gateway" };

/** The texts that describe the field, on the screen and to a screen reader. */
function describedBy(field: Locator): Promise<(string | null | undefined)[]> {
  return field.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map(
        (id: string): string | null | undefined =>
          element.ownerDocument.getElementById(id)?.textContent,
      ),
  );
}

export function createAccountPageDriver(page: Page, locale: Locale, seen: Set<unknown>) {
  const say = (texts: Texts): string => texts[locale];
  const button = (texts: Texts): Locator =>
    page.getByRole("button", { name: say(texts), exact: true });
  const link = (texts: Texts): Locator => page.getByRole("link", { name: say(texts), exact: true });

  /** The form that has the field, and nothing of the others on the page. */
  const formWith = (field: string): Locator =>
    page.locator("form").filter({ has: page.locator(`[name="${field}"]`) });
  const input = (form: AccountForm, field: string): Locator =>
    formWith(fieldsOf(form)[0] ?? field).locator(`[name="${field}"]`);
  const submit = (form: AccountForm): Locator =>
    formWith(fieldsOf(form)[0] ?? "").getByRole("button", { name: say(form.submit), exact: true });

  async function fill(form: AccountForm, values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [field, value] of Object.entries(values)) {
      const place = input(form, field);
      const typed = typeof value === "string" ? value : "";
      if (typeof value === "boolean") await place.setChecked(value);
      else if ((await place.evaluate(({ tagName }) => tagName)) === "SELECT") {
        await place.selectOption(typed);
      } else await place.fill(typed);
    }
  }

  const send = (form: AccountForm): Promise<void> => submit(form).click();

  /** The message is on the page, in these words; toasts are cleared away for the next one. */
  async function told(message: Message, words: string | RegExp = say(message)): Promise<void> {
    await page.getByText(words, { exact: true }).first().waitFor();
    seen.add(message);
    await dismissToasts(page);
  }

  /** The page shows the message for each of these calls when the answer has no text. */
  async function toldOfFailure(
    message: Message,
    route: RouteDefinition,
    act: () => Promise<unknown>,
  ): Promise<void> {
    const pattern = `**${mountedPath(route)}`;
    await page.route(pattern, (call) =>
      call.request().method() === route.method ? call.fulfill(wordlessAnswer) : call.fallback(),
    );
    await act();
    await told(message);
    await page.unroute(pattern);
  }

  /**
   * Every rule of the form, beside its field. The form ends up filled in rightly, and not sent
   * unless the server is the one to check it.
   */
  async function checkRules(form: AccountForm): Promise<void> {
    const { right } = familyOf(form.route);
    const fields = fieldsOf(form);
    await fill(form, Object.fromEntries(fields.map((field) => [field, right[field]])));
    const rules = rulesOf(form);
    const first = rules.find(({ typed }) => typed !== "") ?? rules[0];
    for (const rule of rules.toSorted((a, b) => Number(b === first) - Number(a === first))) {
      const { field, typed } = rule;
      await fill(form, { [field]: typed });
      if (form.checkedByServer && typed === "") {
        expect(await submit(form).isDisabled(), `${say(form.submit)} without ${field}`).toBe(true);
      } else {
        // Once something was refused, fields are checked while they are typed in.
        if (rule === first || form.checkedByServer) await send(form);
        await until(
          async () => {
            const shown = await describedBy(input(form, field));
            return shown.includes(say(rule));
          },
          { what: `"${say(rule)}" beside ${field} with "${typed}"` },
        );
      }
      if (rule === first && !form.checkedByServer) {
        await input(form, field).and(page.locator(":focus")).waitFor();
      }
      seen.add(keyOf(form, rule));
      await fill(form, { [field]: right[field] });
    }
  }

  return {
    page,
    locale,
    say,
    button,
    link,
    input,
    fill,
    send,
    told,
    toldOfFailure,
    checkRules,
    goTo: (path: string) => follow(page, path),
    expectPath: (path: string) => expectPath(page, path),
    setStored: (values: Readonly<Record<string, string | null>>) =>
      page.evaluate((entries) => {
        for (const [key, value] of entries) {
          if (value === null) localStorage.removeItem(key);
          else localStorage.setItem(key, value);
        }
      }, Object.entries(values)),
    /** The page did what the answer is for, instead of showing it. */
    async acted(message: Message): Promise<void> {
      expect(await page.getByText(say(message)).count()).toBe(0);
      seen.add(message);
    },
  };
}

/** One rule may belong to several calls. */
function keyOf({ route }: AccountForm, { field, typed }: FieldRule): string {
  return `${route.id}, ${field}: "${typed}"`;
}

/** The fields of the form, in the order of the call. */
function fieldsOf(form: AccountForm): string[] {
  const { without = [] } = form;
  const { right } = familyOf(form.route);
  const named = [...Object.keys(right), ...rulesOf(form).map(({ field }) => field)];
  return [...new Set(named)].filter((field) => !without.includes(field));
}

/** Rows of the tables that belong on pages and were not seen there. */
export function unseen(seen: ReadonlySet<unknown>): string[] {
  const messages = allMessages.filter((message) => !seen.has(message));
  const rules = Object.entries(accountForms).flatMap(([name, form]) =>
    rulesOf(form)
      .filter((rule) => !seen.has(keyOf(form, rule)))
      .map((rule) => `${name}: ${keyOf(form, rule)}`),
  );
  return [...messages.map(({ en, when }) => `${en}: ${when}`), ...rules];
}
