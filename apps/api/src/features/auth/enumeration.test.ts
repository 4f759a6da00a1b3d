import { Kysely, PostgresDialect } from "kysely";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPool } from "#src/platform/database/pool.ts";
import { createFailpoint } from "#src/platform/development/failpoints.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import { unfamiliar } from "#src/platform/http/pipeline/known-callers.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import type { Database } from "#src/schema/database.ts";
import { listSubUsers, inviteSubUser } from "#src/features/sub-users/sub-users.service.ts";
import { createShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { profileBody } from "#src/test-support/account-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  signUp,
  expectStatus,
  logIn,
  mailsTo,
  testPassword,
} from "#src/test-support/test-users.ts";
import { routes } from "@palisade/contract/http/routes";
import { createAccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { createPasswords, type Passwords } from "#src/platform/security/passwords.ts";
import { createPasswordResetService } from "./password-reset.service.ts";
import { createRegistrationService } from "./registration.service.ts";
import { createCallerMemory } from "#src/features/known-callers/known-callers.service.ts";
import { createSecondFactor } from "#src/features/two-factor/second-factor.service.ts";
import { createLoginService } from "./login.service.ts";

const statements: string[] = [];
let hashes = 0;
let testApp: TestApp;
let db: Kysely<Database>;
let ctx: RequestContext;
let passwords: Passwords;

beforeAll(async () => {
  testApp = await createTestApp();
  await signUp(testApp, "known@example.com");
  await expectStatus(
    call(testApp, routes.auth.register, {
      body: registration("waiting@example.com"),
    }),
    201,
  );
  db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: createPool({
        url: testApp.runtimeUrl,
        name: "palisade-statements",
        connectionsMax: 2,
        statementTimeoutMs: 30_000,
        onConnectionError: () => undefined,
      }),
    }),
    log: (event) => void statements.push(event.query.sql),
  });
  const real = await createPasswords();
  passwords = {
    ...real,
    hash(password) {
      hashes += 1;
      return real.hash(password);
    },
    verify(passwordHash, password) {
      hashes += 1;
      return real.verify(passwordHash, password);
    },
  };
  // The parts of a context that the services read; the scope is a plain transaction without audit row.
  ctx = {
    now: testApp.clock.now(),
    locale: "en",
    ip: "192.0.2.1",
    device: "test",
    familiarity: unfamiliar,
    cookie: () => undefined,
    auditAccount: () => undefined,
    auditAddress: () => undefined,
    header: () => undefined,
    scope: { run: (work) => db.transaction().execute(work) },
  } as Partial<RequestContext> as RequestContext;
});
afterAll(async () => {
  await db?.destroy();
  await testApp?.close();
});
beforeEach(() => {
  statements.length = 0;
  hashes = 0;
});

function registration(email: string, password = testPassword) {
  return { email, password, password_confirmation: password, accept_privacy_policy: true };
}

/** The statements of `work` in order, and how often it hashed a password. */
async function workOf(
  work: () => Promise<unknown>,
): Promise<{ statements: string[]; hashes: number }> {
  statements.length = 0;
  hashes = 0;
  await work().catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
  return { statements: [...statements], hashes };
}

describe("known, waiting and unknown addresses take the same work", () => {
  const service = () =>
    createRegistrationService({
      db,
      mailer: testApp.platform.mailer,
      passwords,
      codeKey: Buffer.alloc(32),
      failpoint: createFailpoint([]),
    });
  const callers = () => createCallerMemory({ db, cookieKeys: [Buffer.alloc(32)] });
  const resets = () =>
    createPasswordResetService({
      db,
      mailer: testApp.platform.mailer,
      notices: createAccountNotices(testApp.platform),
      passwords,
      callers: callers(),
      codeKey: Buffer.alloc(32),
    });
  const addresses = ["known@example.com", "waiting@example.com", "unknown@example.com"];

  test.each([
    ["register", (email: string) => service().register(ctx, { email, password: testPassword })],
    ["resend", (email: string) => service().resend(ctx, undefined, email)],
    ["forgot password", (email: string) => resets().send(ctx, email)],
    ["the look for known callers", (email: string) => callers().familiarity(ctx, email)],
  ] as const)("%s", async (_, use) => {
    const [first, ...others] = [
      await workOf(() => use(addresses[0] ?? "")),
      await workOf(() => use(addresses[1] ?? "")),
      await workOf(() => use("never-seen@example.com")),
    ];
    expect(first?.statements.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  test("confirm with a wrong code", async () => {
    const works = [];
    for (const email of addresses) {
      works.push(
        await workOf(() => service().confirm(ctx, undefined, { code: "ABCDEFGH", email })),
      );
    }
    expect(works[0]?.statements).toHaveLength(2);
    expect(works[1]).toEqual(works[0]);
    expect(works[2]).toEqual(works[0]);
  });

  test.each([
    ["verify", (email: string) => resets().verify(ctx, { email, code: "ABCDEFGH" })],
    [
      "reset",
      (email: string) =>
        resets().reset(ctx, { email, code: "ABCDEFGH", password: "a new long password" }),
    ],
  ] as const)("a wrong reset code at %s", async (_, use) => {
    const works = [];
    for (const email of addresses) works.push(await workOf(() => use(email)));
    expect(works[0]).toMatchObject({ statements: [expect.any(String), expect.any(String)] });
    expect(works[0]?.hashes).toBe(0);
    expect(works[1]).toEqual(works[0]);
    expect(works[2]).toEqual(works[0]);
  });

  test("login with a wrong password", async () => {
    const key = Buffer.alloc(32);
    const sealer = createSealer([key]);
    const backupCodes = { ofTyped: () => Promise.resolve([]) };
    const secondFactor = createSecondFactor({ db, sealer, backupCodes });
    const sessions = createLoginService({
      db,
      passwords,
      completeLogin: () => Promise.reject(new Error("No login succeeds")),
      secondFactor,
    });
    const works = [];
    for (const email of addresses) {
      works.push(await workOf(() => sessions.logIn(ctx, { email, password: "wrong" })));
    }
    expect(works[0]).toMatchObject({ statements: [expect.any(String)], hashes: 1 });
    expect(works[1]).toEqual(works[0]);
    expect(works[2]).toEqual(works[0]);
  });
});

describe("known and unknown addresses are answered alike", () => {
  const register = (email: string) =>
    call(testApp, routes.auth.register, { body: registration(email, "another password of mine") });
  const bodyOf = (answer: { json(): Record<string, unknown> }) => ({
    ...answer.json(),
    request_id: undefined,
  });

  test("at registration; the owner of a known address gets a notice and no code", async () => {
    const known = await signUp(testApp, "owner@example.com");
    const forKnown = await register(known.email);
    const forUnknown = await register("unknown1@example.com");
    expect(forKnown.statusCode).toBe(forUnknown.statusCode);
    expect(bodyOf(forKnown)).toEqual(bodyOf(forUnknown));
    expect(forKnown.cookies.map((cookie) => cookie.name)).toEqual(
      forUnknown.cookies.map((cookie) => cookie.name),
    );
    const mails = await until(async () => {
      const all = await mailsTo(testApp, known.email);
      return all.length === 2 ? all : undefined;
    });
    expect(mails[1]?.subject).toBe("You already have an account");
    await logIn(testApp, known.email);
  });

  test("at login, resending and confirming", async () => {
    await signUp(testApp, "known2@example.com");
    for (const [route, extra] of [
      [routes.auth.login, { password: "not the password" }],
      [routes.auth.resendVerificationCode, {}],
      [routes.auth.verifyEmailCode, { code: "ABCDEFGH" }],
    ] as const) {
      const answers = await Promise.all(
        ["known2@example.com", "unknown@example.com"].map((email) =>
          call(testApp, route, { body: { email, ...extra } }),
        ),
      );
      const [first, second] = answers;
      expect(first?.statusCode, route.id).toBe(second?.statusCode);
      expect(bodyOf(first ?? unreachable())).toEqual(bodyOf(second ?? unreachable()));
    }
    expect(await mailsTo(testApp, "unknown@example.com")).toEqual([]);
    expect(await mailsTo(testApp, "known2@example.com")).toHaveLength(1);
  });
});

describe("inviting a sub-user does not show who has an account", () => {
  /** Known by name and address, and a sub-user of another owner's shield. */
  async function fixture() {
    await enrolEdge(testApp, await createStaff(testApp), { name: "enumeration" });
    const owner = await signUp(testApp);
    const shieldId = (await createShield(testApp, owner)).id;
    const elsewhere = await signUp(testApp, "elsewhere@example.com");
    const body = { ...profileBody, username: "Elsewhere" };
    const { token } = elsewhere;
    await expectStatus(call(testApp, routes.account.updateProfile, { token, body }), 200);
    const other = await signUp(testApp);
    await testApp.platform.db
      .insertInto("shield_members")
      .values({
        shield_id: (await createShield(testApp, other)).id,
        user_id: elsewhere.id,
        role: "member",
        created_at: testApp.clock.now(),
      })
      .execute();
    return { owner, shieldId };
  }

  test("by work, by answer and on the list: known, elsewhere, unconfirmed and unknown ones", async () => {
    const { owner, shieldId } = await fixture();
    const actor = {
      kind: "user",
      userId: owner.id,
      email: owner.email,
      role: "customer",
      staffRoles: [],
      hasTwoFactor: false,
      credential: {
        kind: "session",
        id: owner.id,
        authenticatedAt: ctx.now,
        authenticatedBy: "password",
        strongestFactor: "password",
        tokenHash: "",
      },
    } as const;
    const deps = {
      mailer: testApp.platform.mailer,
      consoleOrigin: () => "https://palisade.example",
      writes: createShieldWrites({
        clock: testApp.clock,
        bus: testApp.platform.bus,
        failpoint: createFailpoint([]),
        allowUnproven: true,
        cookieSecret: Buffer.alloc(32),
      }),
    };
    const emails = ["elsewhere@example.com", "known@example.com", "waiting@example.com"];
    for (const [kind, invitees] of [
      ["emails", [...emails, "unknown@example.com"]],
      ["usernames", ["elsewhere", "unknown"]],
    ] as const) {
      const works = [];
      for (const typed of invitees) {
        works.push(
          await workOf(() =>
            db
              .transaction()
              .execute((trx) =>
                inviteSubUser(
                  deps,
                  trx,
                  { ...ctx, actor },
                  { shieldId, typed, chosen: { role: "manager" } },
                ),
              ),
          ),
        );
      }
      expect(works[0]?.statements.length, kind).toBeGreaterThan(5);
      for (const work of works) expect(work, kind).toEqual(works[0]);
    }

    const bodies = [];
    for (const email of [...emails, "unknown@example.com", "elsewhere", "unknown"]) {
      const answer = await expectStatus(
        call(testApp, routes.subUsers.addSubUser, {
          token: owner.token,
          params: { id: shieldId },
          body: { email },
        }),
        201,
      );
      const { sub_user, ...rest } = routes.subUsers.addSubUser.response.parse(answer.json());
      expect(sub_user.email).toBe(email);
      bodies.push({ ...rest, ...sub_user, id: "", email: "" });
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    const listed = await listSubUsers(testApp.platform.db, shieldId);
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(["pending"]));
  });
});

function unreachable(): never {
  throw new Error("There are two answers");
}
