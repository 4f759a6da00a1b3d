import type { RouteDefinition } from "@palisade/contract/http/route";
import type { Locale } from "@palisade/contract/texts/render";
import { dismissToasts, expectPath, follow } from "@palisade/system-tests/auth/auth-pages";
import { settled } from "@palisade/system-tests/screens/inspect";
import { accountForms, rulesOf, type AccountForm } from "@palisade/system-tests/spec/account-forms";
import { allMessages, type Message } from "@palisade/system-tests/spec/account-messages";
import { familyOf } from "@palisade/system-tests/spec/route-families";
import type { FieldRule, Texts } from "@palisade/system-tests/spec/rules";
import { until } from "@palisade/testing/until";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { StubApi } from "../stub-api/stub-api.ts";

/** Uses an account page and notes which rows of the tables it has shown. */
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

export function createAccountPageDriver(api: StubApi, page: Page, locale: Locale) {
  const seen = new Set<unknown>();
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

  /** From now on the call answers as the row of the table says. */
  function arrange(message: Message, route: RouteDefinition): void {
    const { answer } = message;
    if (answer?.routes.includes(route) !== true) {
      throw new Error(`${route.id} never answers "${message.en}"`);
    }
    api.say(route, message, answer);
  }

  /** The page shows the message when an answer of the api says so. */
  async function toldByApi(
    message: Message,
    route: RouteDefinition,
    act: () => Promise<unknown>,
  ): Promise<void> {
    arrange(message, route);
    await act();
    await told(message);
    api.restore(route);
  }

  /** The page shows the message when the answer of the call has no text. */
  async function toldOfFailure(
    message: Message,
    route: RouteDefinition,
    act: () => Promise<unknown>,
  ): Promise<void> {
    api.answerRaw(route, wordlessAnswer);
    await act();
    await told(message);
    api.restore(route);
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
    toldByApi,
    toldOfFailure,
    checkRules,
    async open(path: string): Promise<void> {
      await page.goto(path);
      await settled(page);
    },
    /** As a link would open it: nothing is loaded anew. */
    goTo: (path: string) => follow(page, path),
    expectPath: (path: string) => expectPath(page, path),
    setStored: (values: Readonly<Record<string, string | null>>) =>
      page.evaluate((entries) => {
        for (const [key, value] of entries) {
          if (value === null) localStorage.removeItem(key);
          else localStorage.setItem(key, value);
        }
      }, Object.entries(values)),
    /** The page goes to the path the answer is for, instead of showing it. */
    async ledByApi(
      message: Message,
      route: RouteDefinition,
      act: () => Promise<unknown>,
      path: string,
    ): Promise<void> {
      arrange(message, route);
      await act();
      await expectPath(page, path);
      api.restore(route);
      expect(await page.getByText(say(message)).count()).toBe(0);
      seen.add(message);
    },
    /** Rows of the tables that belong on the page and were not seen there. */
    unseen: (path: string): string[] =>
      rowsOf(path)
        .filter(({ key }) => !seen.has(key))
        .map(({ what }) => what),
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

/** The rows of the tables that belong on the page. */
function rowsOf(path: string): { readonly key: unknown; readonly what: string }[] {
  const rules = Object.values(accountForms)
    .filter(({ page }) => page === path)
    .flatMap((form: AccountForm) => rulesOf(form).map((rule) => keyOf(form, rule)));
  return [
    ...allMessages
      .filter(({ page }) => page === path)
      .map((message) => ({ key: message, what: `${message.en}: ${message.when}` })),
    ...rules.map((key) => ({ key, what: key })),
  ];
}

/** The pages to which rows of the tables belong. */
export const accountPages: ReadonlySet<string> = new Set(
  [...allMessages, ...Object.values(accountForms)].map(({ page }) => page),
);
