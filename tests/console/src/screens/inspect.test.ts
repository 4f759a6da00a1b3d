import { expectSound } from "@palisade/system-tests/screens/inspect";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";

const fixture = useConsole();

/** Each takes away what a rule of axe asks for. */
const defects: readonly (readonly [string, string])[] = [
  ["button-name", "document.querySelector('main button').replaceChildren()"],
  ["color-contrast", "document.querySelector('h1').style.color = 'rgb(40, 40, 48)'"],
  ["aria-allowed-attr", "document.querySelector('h1').setAttribute('aria-checked', 'true')"],
  ["html-has-lang", "document.documentElement.removeAttribute('lang')"],
  ["label", "document.querySelector('main').append(document.createElement('input'))"],
];

test.each(defects)(
  "a page that was sound before is not sound any more with a defect of %s",
  async (rule, makeDefect) => {
    const page = await fixture.open("/dashboard/profile");
    await expectSound(page, "the page");
    await expectSound(page, "the same page");
    await page.evaluate(makeDefect);
    const found = { actual: [expect.stringContaining(`${rule} at`)] };
    await expect(expectSound(page, "the page with a defect")).rejects.toMatchObject(found);
    await expect(expectSound(page, "the defect, once more")).rejects.toMatchObject(found);
  },
);
