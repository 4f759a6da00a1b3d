import { entryKindOf } from "@palisade/contract/http/firewall";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { byTurns } from "@palisade/testing/samples";
import { oppositeAppearances } from "@palisade/system-tests/screens/accounts";
import { screensOf, type Screen } from "@palisade/system-tests/screens/catalogue";
import {
  expectSoundEverywhere,
  settled,
  watchForErrors,
} from "@palisade/system-tests/screens/inspect";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { becomeNewcomer } from "../stub-api/account-state.ts";

/** Every screen in each theme and each language, on a desktop and on phones. */

const unfinishedSteps = {
  register_data: JSON.stringify({ email: "new@example.com" }),
  reset_email: "new@example.com",
};
const fixture = useConsole();

beforeEach(() => {
  const { firewall } = fixture.state;
  const [entry] = firewall.blacklist_ips;
  if (entry === undefined) throw new Error("The contract has no example of a firewall entry");
  // The longest entries there are: at 320 px they have to break.
  const addresses = [
    "203.0.113.5",
    "198.51.100.0/24",
    "2001:db8:85a3::8a2e:370:7334",
    "Griefer_of_1234_",
  ];
  fixture.state.firewall = {
    ...firewall,
    blacklist_ips: addresses.map((ip, n) => ({
      ...entry,
      id: entry.id.slice(0, -1) + n,
      ip,
      kind: entryKindOf(ip) ?? entry.kind,
    })),
  };
});

function pageOf(as: Screen["as"], look: (typeof oppositeAppearances)[number]): Promise<Page> {
  if (as === "newcomer") becomeNewcomer(fixture.state);
  const isStranger = as === "stranger";
  return fixture.page({ ...look, isStranger, ...(isStranger && { storage: unfinishedSteps }) });
}

describe.each(oppositeAppearances)("in the $theme theme, language $locale", (look) => {
  test.each(byTurns(screensOf(exampleIds.shield), oppositeAppearances.indexOf(look)))(
    "$name logs no error, is in that language, fits every width and passes axe",
    async ({ name, path, as }) => {
      const page = await pageOf(as, look);
      const errors = watchForErrors(page);
      await page.goto(path);
      await settled(page);
      expect(await page.evaluate("document.documentElement.lang")).toBe(look.locale);
      expect(await page.title()).toMatch(/Palisade$/);
      await expectSoundEverywhere(page, name);
      expect(errors).toEqual([]);
    },
  );
});
