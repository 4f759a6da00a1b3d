import type { RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { hostileTexts } from "@palisade/testing/hostile-texts";
import { textFieldsOf, withText } from "@palisade/testing/text-fields";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profileBody } from "#src/test-support/account-samples.ts";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, createUser } from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

/**
 * Every text field of the contract keeps or refuses any text, returns it as data, and never answers
 * 500. The fields come from the contract, so a new one is tested too.
 */

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
}, 60_000);
afterAll(() => testApp?.close());

const ofPeople = allRoutes.filter(({ access, rawBody }) => access !== "edge" && rawBody !== true);
/** Markup is all one to a program that only keeps it; what is no letter is not. */
const trying = Object.entries(hostileTexts).filter(
  ([name, text]) => name === "event handler" || /[^ -~]/.test(text),
);

describe.each([
  ["body", ({ body }: RouteDefinition) => body],
  ["query", ({ querystring }: RouteDefinition) => querystring],
] as const)("text in the %s", (part, schemaOf) => {
  const concerned = ofPeople.flatMap((route) => {
    const schema = schemaOf(route);
    const fields = schema === undefined ? [] : textFieldsOf(schema);
    return schema === undefined || fields.length === 0 ? [] : [{ route, schema, fields }];
  });

  test.each(concerned)("is data in $route.id", async ({ route, schema, fields }) => {
    const token = route.access === "staff" ? world.staff.token : world.owner.token;
    // The table's type has every route of the contract.
    const sampleOf = routeSamples[route.id as RouteId];
    let sample = await sampleOf(world, token);
    for (const [name, text] of trying) {
      const right = sample[part] ?? {};
      const takers = fields.filter(
        (field) => schema.safeParse(withText(right, field, text)).success,
      );
      if (takers.length === 0) continue;
      const body = takers.reduce<unknown>((filled, field) => withText(filled, field, text), right);
      const what = `${name} in ${takers.join(" ")}`;
      const answer = await call(testApp, route, { token, ...sample, [part]: body });
      expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500);
      expect(answer.statusCode, what).not.toBe(429);
      expect(String(answer.headers["content-type"]), what).toMatch(
        /^(application\/(problem\+)?json|text\/csv); charset=utf-8|^application\/x-ndjson$/,
      );
      expect(answer.headers["x-content-type-options"], what).toBe("nosniff");
      // Windows of the limits go by; what the call has used up is made anew.
      testApp.clock.advance(3_600_000);
      if (answer.statusCode < 300) sample = await sampleOf(world, token);
    }
  });
});

describe("a line", () => {
  test("keeps visible characters and drops invisible ones", async () => {
    const { token } = await createUser(testApp);
    const kept: Record<string, string> = {
      "right to left": "gnp.exe x",
      "nothing to see": "x",
      nul: "ab",
      controls: "a[31mbc",
      "header of a mail": "x Bcc: victim@evil.example <b>x",
      "line separators": "x y z",
      "half a character": "ab",
      "address with a tab": "java script:ran=1",
      script: "<script>ran=1</script>",
    };
    for (const [name, shown] of Object.entries(kept)) {
      const body = { ...profileBody, company_name: hostileTexts[name] };
      const answer = await call(testApp, routes.account.updateProfile, { token, body });
      const { profile } = routes.account.updateProfile.response.parse(answer.json());
      expect(profile.company_name, name).toBe(shown);
    }
  });
});
