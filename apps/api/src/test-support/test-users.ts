import { loggedIn } from "@palisade/contract/http/auth";
import type { StaffRole } from "@palisade/contract/http/staff-roles";
import type { AuthFactor } from "@palisade/contract/http/two-factor";
import { routes } from "@palisade/contract/http/routes";
import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { privacyVersion } from "@palisade/contract/privacy-version";
import { until } from "@palisade/testing/until";
import { hash } from "@node-rs/argon2";
import type { LightMyRequestResponse } from "fastify";
import { insertSession } from "#src/features/sessions/sessions.repository.ts";
import { newToken, hashToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Platform } from "#src/platform/platform.ts";
import type { TestApp } from "./test-app.ts";
import { confirmUser, registerUser } from "#src/features/auth/auth.repository.ts";

export const testPassword = "correct horse battery";

export interface TestUser {
  readonly id: string;
  readonly email: string;
  /** Bearer token of a session. */
  readonly token: string;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address the call seems to come from; needs a trusted proxy of 127.0.0.1. */
  readonly ip?: string;
}

/** Calls a contract route in the app, without a socket. */
export function call(
  testApp: TestApp,
  definition: RouteDefinition,
  options: CallOptions = {},
): Promise<LightMyRequestResponse> {
  const path = mountedPath(definition).replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(options.params?.[name] ?? ""),
  );
  return testApp.app.inject({
    // A configuration stream does not end: its head is the answer, its body is not read.
    payloadAsStream: definition.id === "edge.config",
    method: definition.method,
    url: path,
    ...(options.query === undefined ? {} : { query: { ...options.query } }),
    ...(options.body === undefined ? {} : { payload: options.body as object }),
    ...(options.ip === undefined ? {} : { remoteAddress: options.ip }),
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
  });
}

/** Body and type of a form with files, as a browser or the typed client sends it. */
export async function formOf(
  fields: Readonly<Record<string, string>>,
  files: readonly File[],
  field = "attachments",
): Promise<{ readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [index, file] of files.entries()) form.set(`${field}[${index}]`, file, file.name);
  const request = new Request("http://localhost", { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  return { body: Buffer.from(await request.arrayBuffer()), headers: { "content-type": type } };
}

let serial = 0;
/** Made once: it is slow by design. */
let testPasswordHash: Promise<string> | undefined;

/** The parts of an app that people are made with. */
export interface UserStore {
  readonly platform: Pick<Platform, "db">;
  readonly clock: Pick<TestApp["clock"], "now">;
}

/** A confirmed user with a session, as registering, confirming and logging in leave one. */
export async function createUser(
  testApp: UserStore,
  email = `user${++serial}@example.com`,
): Promise<TestUser> {
  const { db } = testApp.platform;
  const now = testApp.clock.now();
  const passwordHash = await (testPasswordHash ??= hash(testPassword));
  const user = { id: newId(), email, passwordHash, locale: "en", privacyVersion, now } as const;
  await registerUser(db, user);
  await confirmUser(db, user.id, passwordHash, now);
  return { id: user.id, email, token: await openSession(testApp, user) };
}

/** The same by the routes: registers, reads the code from the mailbox, confirms and logs in. */
export async function signUp(
  testApp: TestApp,
  email = `user${++serial}@example.com`,
): Promise<TestUser> {
  // An address of its own, so that many users do not meet the limits by address.
  const ip = `198.18.${Math.floor(serial / 250)}.${(serial % 250) + 1}`;
  await expectStatus(
    call(testApp, routes.auth.register, {
      ip,
      body: {
        email,
        password: testPassword,
        password_confirmation: testPassword,
        accept_privacy_policy: true,
      },
    }),
    201,
  );
  const code = await newestCode(testApp, email);
  await expectStatus(
    call(testApp, routes.auth.verifyEmailCode, { ip, body: { code, email } }),
    200,
  );
  return logIn(testApp, email, ip);
}

export async function logIn(
  testApp: TestApp,
  email: string,
  ip = "198.18.255.1",
): Promise<TestUser> {
  const answer = await expectStatus(
    call(testApp, routes.auth.login, { ip, body: { email, password: testPassword } }),
    200,
  );
  const { access_token, user } = loggedIn.parse(answer.json());
  return { id: user.id, email, token: access_token };
}

/**
 * Another session of the user, without a login: its bearer token.
 *
 * @param factor the strongest that its holder has just proved
 */
export async function openSession(
  testApp: UserStore,
  user: Pick<TestUser, "id">,
  factor: AuthFactor = "password",
): Promise<string> {
  const token = newToken(tokenPrefixes.session);
  const now = testApp.clock.now();
  await insertSession(testApp.platform.db, {
    id: newId(),
    userId: user.id,
    token,
    device: "",
    ip: "198.18.255.2",
    now,
    factor,
  });
  return token;
}

/** As if the session's holder had just logged in again: its token stays. */
export async function proveAnew(testApp: TestApp, token: string): Promise<void> {
  await testApp.platform.db
    .updateTable("sessions")
    .set({ authenticated_at: testApp.clock.now() })
    .where("token_hash", "=", hashToken(token))
    .execute();
}

/** Steps up by the route: the session's new token. */
export async function steppedUp(
  testApp: TestApp,
  { token }: Pick<TestUser, "token">,
  proof: Readonly<Record<string, string>> = { current_password: testPassword },
): Promise<string> {
  const answer = await expectStatus(
    call(testApp, routes.twoFactor.stepUp, { token, body: proof }),
    200,
  );
  return routes.twoFactor.stepUp.response.parse(answer.json()).access_token;
}

/** As `cli staff add` does, and then the set-up of two-factor; just logged in, however late it gets. */
export async function createStaff(
  testApp: TestApp,
  staffRoles: readonly StaffRole[] = ["admin"],
): Promise<TestUser> {
  const user = await createUser(testApp);
  await testApp.platform.db
    .updateTable("users")
    .set({ role: "staff", staff_roles: staffRoles, two_factor_enabled_at: testApp.clock.now() })
    .where("id", "=", user.id)
    .execute();
  await testApp.platform.db
    .updateTable("sessions")
    .set({ authenticated_at: new Date("2100-01-01"), authenticated_by: "code" })
    .where("user_id", "=", user.id)
    .execute();
  return user;
}

/** An API key of the user, as its bearer token. Keys get their own routes with the profile. */
export async function createApiKey(
  testApp: TestApp,
  user: TestUser,
  scope: "read" | "write",
  expiresAt: Date | null = null,
): Promise<string> {
  const token = newToken(tokenPrefixes.apiKey);
  await testApp.platform.db
    .insertInto("api_keys")
    .values({
      id: newId(),
      user_id: user.id,
      name: `${scope} key`,
      token_hash: hashToken(token),
      scope,
      created_at: testApp.clock.now(),
      last_used_at: null,
      expires_at: expiresAt,
    })
    .execute();
  return token;
}

/** The newest code mailed to the address, once it is there. */
export async function newestCode(testApp: TestApp, email: string, mails = 1): Promise<string> {
  const found = await until(
    async () => {
      const rows = await mailsTo(testApp, email);
      const codes = rows.flatMap(
        (row) => /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(row.text_body)?.[0] ?? [],
      );
      return codes.length >= mails ? codes.at(-1) : undefined;
    },
    { what: `the code for ${email}` },
  );
  return found;
}

/** Mails to the address, oldest first. */
export function mailsTo(testApp: TestApp, email: string) {
  return testApp.platform.db
    .selectFrom("development_mails")
    .selectAll()
    .where("recipient", "=", email)
    .orderBy("id")
    .execute();
}

/** The answer, if it has the status; otherwise an error that shows it. */
export async function expectStatus(
  answer: Promise<LightMyRequestResponse>,
  status: number,
): Promise<LightMyRequestResponse> {
  const response = await answer;
  if (response.statusCode !== status) {
    throw new Error(`Expected ${status}, got ${response.statusCode}: ${response.body}`);
  }
  return response;
}
