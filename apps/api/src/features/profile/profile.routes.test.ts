import { routes } from "@palisade/contract/http/routes";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profileBody } from "#src/test-support/account-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp({ config: { discordInviteUrl: "https://discord.gg/palisade" } });
  user = await createUser(testApp);
});
afterAll(() => testApp?.close());

async function profileOf({ token }: Pick<TestUser, "token">) {
  const answer = await expectStatus(call(testApp, routes.account.getProfile, { token }), 200);
  return routes.account.getProfile.response.parse(answer.json()).profile;
}

function save(token: string, body: object, headers: Record<string, string> = {}) {
  return call(testApp, routes.account.updateProfile, { token, body, headers });
}

test("a new profile is empty but for what the account knows", async () => {
  const fresh = await createUser(testApp);
  expect(await profileOf(fresh)).toEqual({
    email: fresh.email,
    pending_email: null,
    username: null,
    api_key: null,
    two_factor_enabled: false,
    email_notifications: true,
    discord_webhook_url: null,
    discord_invite_url: "https://discord.gg/palisade",
    operator_email: "operator@example.com",
    first_name: null,
    last_name: null,
    address_line_1: null,
    address_line_2: null,
    zip_code: null,
    city: null,
    country: null,
    company_name: null,
    vat_id: null,
    vat_id_check: { state: "not_checked", answered_at: null },
  });
});

test("saved values are stored as their country writes them", async () => {
  const answer = await expectStatus(
    save(user.token, {
      ...profileBody,
      first_name: "  Жан-Поль  ",
      country: "GB",
      zip_code: "sw1a  1aa",
      vat_id: "gb 123 4567 89",
      company_name: "",
    }),
    200,
  );
  const { message, profile } = routes.account.updateProfile.response.parse(answer.json());
  expect(message).toBe("Profile updated successfully");
  expect(profile).toMatchObject({
    first_name: "Жан-Поль",
    last_name: "О'Коннор",
    zip_code: "SW1A 1AA",
    vat_id: "GB123456789",
    company_name: null,
  });
  expect(await profileOf(user)).toEqual(profile);
});

describe("validation, in the words of the specification", () => {
  test.each([
    [{ first_name: "" }, "first_name", "Required", "Обязательное поле"],
    [{ first_name: "A" }, "first_name", "Too short", "Слишком коротко"],
    [{ last_name: "a".repeat(51) }, "last_name", "Too long", "Слишком длинно"],
    [{ first_name: "R2D2" }, "first_name", "Only letters allowed", "Допускаются только буквы"],
    [{ last_name: "-Anna" }, "last_name", "Only letters allowed", "Допускаются только буквы"],
    [
      { first_name: "Anna\nMaria" },
      "first_name",
      "Only letters allowed",
      "Допускаются только буквы",
    ],
    [{ address_line_1: "a".repeat(51) }, "address_line_1", "Too long", "Слишком длинно"],
    [{ address_line_2: "a".repeat(51) }, "address_line_2", "Too long", "Слишком длинно"],
    [{ city: "a".repeat(31) }, "city", "Too long", "Слишком длинно"],
    [{ company_name: "a".repeat(51) }, "company_name", "Too long", "Слишком длинно"],
    [{ country: "XX" }, "country", "Select a valid country", "Выберите страну из списка"],
    [{ country: "Germany" }, "country", "Select a valid country", "Выберите страну из списка"],
    [
      { zip_code: "1234" },
      "zip_code",
      "Enter a valid postcode of this country",
      "Введите правильный индекс этой страны",
    ],
    [{ zip_code: "" }, "zip_code", "Required", "Обязательное поле"],
    [
      { vat_id: "DE12" },
      "vat_id",
      "Enter a valid VAT ID of this country",
      "Введите правильный налоговый номер этой страны",
    ],
  ])("%j", async (wrong, path, english, russian) => {
    for (const [language, text] of [
      ["en", english],
      ["ru", russian],
    ] as const) {
      const answer = await save(
        user.token,
        { ...profileBody, ...wrong },
        {
          "accept-language": language,
        },
      );
      expect(answer.statusCode).toBe(422);
      const issues: { path: string; message: string }[] = answer.json().issues;
      expect(issues.find((issue) => issue.path === path)?.message).toBe(text);
    }
  });

  test("the whole is told in one sentence", async () => {
    const answer = await save(user.token, {});
    expect(answer.json()).toMatchObject({ message: "Please fix validation errors" });
  });
});

describe("usernames", () => {
  const withName = (username: string | null) => ({ ...profileBody, username });

  test("one is taken whatever its case, and free again once it is given up", async () => {
    const [first, second] = [await createUser(testApp), await createUser(testApp)];
    await expectStatus(save(first.token, withName("Steve_99")), 200);
    const refused = await save(second.token, withName("steve_99"));
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({
      code: "username_taken",
      issues: [{ path: "username", message: "This username is taken" }],
    });
    // Left out it stays; one's own may change its case.
    await expectStatus(save(first.token, profileBody), 200);
    await expectStatus(save(first.token, withName("STEVE_99")), 200);
    expect((await profileOf(first)).username).toBe("STEVE_99");
    await expectStatus(save(first.token, withName(null)), 200);
    await expectStatus(save(second.token, withName("steve_99")), 200);
  });

  test("exactly one user gets it when many ask at once", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => createUser(testApp)));
    const answers = await Promise.all(users.map(({ token }) => save(token, withName("wanted"))));
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 422, 422, 422, 422, 422,
    ]);
  });

  test.each(["ab", "a b", "-abc", "admin@example.com", "x".repeat(33), "ада"])(
    "%j is none",
    async (username) => {
      await expectStatus(save(user.token, withName(username)), 422);
    },
  );
});

test("fields that no caller may set are ignored", async () => {
  const before = await testApp.platform.db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  await expectStatus(
    save(user.token, {
      ...profileBody,
      role: "staff",
      balance: "1000.00",
      balance_cents: 100_000,
      id: "00000000-0000-7000-8000-000000000000",
      user_id: "00000000-0000-7000-8000-000000000000",
      email: "other@example.com",
      email_verified_at: null,
      two_factor_enabled: true,
      api_key: "psk_mine",
    }),
    200,
  );
  const after = await testApp.platform.db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  expect(after).toEqual(before);
  const answer = await call(testApp, routes.auth.user, { token: user.token });
  expect(routes.auth.user.response.parse(answer.json()).user).toMatchObject({
    role: "customer",
    balance_cents: 0,
  });
});

test("no field of any shape beside the named ones changes an account", async () => {
  const mine = await createUser(testApp);
  await expectStatus(save(mine.token, profileBody), 200);
  const state = async () => {
    const { db } = testApp.platform;
    const row = await db.selectFrom("users").selectAll().where("id", "=", mine.id).execute();
    return [row, await profileOf(mine)];
  };
  const before = await state();
  const columns = [
    "role",
    "balance",
    "balance_cents",
    "id",
    "deleted_at",
    "password_hash",
    "__proto__",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...columns, "constructor", "username_key"), fc.jsonValue()),
      async (extra) => {
        const answer = await save(mine.token, { ...extra, ...profileBody });
        // 400: JSON that names a prototype is not read at all.
        expect([200, 400, 422]).toContain(answer.statusCode);
        expect(await state()).toEqual(before);
      },
    ),
    { numRuns: 25 },
  );
});

describe("notifications", () => {
  const url = "https://discord.com/api/webhooks/123456789/a-Secret_token";
  const update = (token: string, body: object) =>
    call(testApp, routes.account.updateNotifications, { token, body });

  test("the toggle is kept; the webhook is masked in answers and encrypted at rest", async () => {
    const mine = await createUser(testApp);
    const answer = await expectStatus(
      update(mine.token, { email_notifications: false, discord_webhook_url: url }),
      200,
    );
    expect(answer.json()).toEqual({ message: "Email notifications updated successfully" });
    const { email_notifications, discord_webhook_url } = await profileOf(mine);
    expect(email_notifications).toBe(false);
    expect(discord_webhook_url).toBe("https://discord.com/api/webhooks/123456789/…oken");
    const row = await testApp.platform.db
      .selectFrom("profiles")
      .selectAll()
      .where("user_id", "=", mine.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain("a-Secret");
  });

  test("left out it stays, null removes it, and the address survives saving the profile", async () => {
    const mine = await createUser(testApp);
    await expectStatus(
      update(mine.token, { email_notifications: true, discord_webhook_url: url }),
      200,
    );
    await expectStatus(save(mine.token, profileBody), 200);
    await expectStatus(update(mine.token, { email_notifications: false }), 200);
    expect((await profileOf(mine)).discord_webhook_url).not.toBeNull();
    expect((await profileOf(mine)).city).toBe("Berlin");
    await expectStatus(
      update(mine.token, { email_notifications: false, discord_webhook_url: null }),
      200,
    );
    expect((await profileOf(mine)).discord_webhook_url).toBeNull();
  });

  test.each([
    "http://discord.com/api/webhooks/1/x",
    "https://discord.com.evil.example/api/webhooks/1/x",
    "https://discord.com@evil.example/api/webhooks/1/x",
    "https://evil.example/https://discord.com/api/webhooks/1/x",
    "https://127.0.0.1/api/webhooks/1/x",
    "https://discord.com/api/webhooks/../users/@me",
  ])("%s is no webhook of Discord", async (discord_webhook_url) => {
    await expectStatus(update(user.token, { email_notifications: true, discord_webhook_url }), 422);
  });
});

test("an API key may read the profile but never change it", async () => {
  const key = await createApiKey(testApp, user, "write");
  await expectStatus(call(testApp, routes.account.getProfile, { token: key }), 200);
  await expectStatus(save(key, profileBody), 403);
});
