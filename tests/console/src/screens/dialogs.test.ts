import { byTurns } from "@palisade/testing/samples";
import { oppositeAppearances } from "@palisade/system-tests/screens/accounts";
import { expectSound, settled, watchForErrors } from "@palisade/system-tests/screens/inspect";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { dialogs } from "./dialogs.ts";
import { makeLively } from "./lively-account.ts";
import { translator } from "./translate.ts";

/** Every dialog in each theme and each language, opened by the words on its button. */

const fixture = useConsole();
/** The browser itself logs this about an answer that is no success. */
const failedToLoad = /Failed to load resource/;

describe.each(oppositeAppearances)("in the $theme theme, language $locale", (look) => {
  test.each(byTurns(dialogs, oppositeAppearances.indexOf(look)))(
    "$name passes axe, logs no error and fits phones",
    async (dialog) => {
      makeLively(fixture.api, fixture.state, look.locale);
      dialog.arrange?.(fixture.api, fixture.state);
      // The narrowest phone there is: an open menu follows a change of width only a moment later.
      const page = await fixture.page({ ...look, width: 320 });
      const errors = watchForErrors(page, failedToLoad);
      await page.goto(dialog.path);
      await settled(page);
      await dialog.open(page, translator(look.locale));
      await page
        .getByRole(dialog.shows ?? "dialog")
        .first()
        .waitFor();
      await settled(page);
      await expectSound(page, `${dialog.name} at 320 px`);
      expect(errors).toEqual([]);
    },
  );
});
