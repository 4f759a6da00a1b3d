import { routes } from "@palisade/contract/http/routes";
import { addPasskey, createAuthenticator, loginOptions, originOf } from "./test-authenticator.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import { call, createUser, expectStatus, mailsTo, type TestUser } from "./test-users.ts";
import type { TestWorld } from "./test-world.ts";
import { until } from "@palisade/testing/until";

const nothing: RouteSample = () => ({});

/** A profile that passes every rule. */
export const profileBody = {
  first_name: "Anna-Maria",
  last_name: "О'Коннор",
  address_line_1: "Main Street 1",
  address_line_2: null,
  zip_code: "10115",
  city: "Berlin",
  country: "DE",
  company_name: null,
  vat_id: null,
};

/** In place of the caller, where they are a user in a session: the sample uses them up. */
export async function standIn(
  world: TestWorld,
  token: string | undefined,
): Promise<TestUser | undefined> {
  const { owner, member, formerMember, stranger, staff } = world;
  const isUser = [owner, member, formerMember, stranger, staff].some(
    (user) => user.token === token,
  );
  return isUser ? createUser(world.testApp) : undefined;
}

/** A call on something that `make` creates for the caller; on an unknown id without a caller. */
function ofStandIn(make: (world: TestWorld, user: TestUser) => Promise<string>): RouteSample {
  return async (world, token) => {
    const user = await standIn(world, token);
    if (user === undefined) return { params: { id: newId() } };
    return { token: user.token, params: { id: await make(world, user) } };
  };
}

const ofPasskey = ofStandIn(async ({ testApp }, user) => (await addPasskey(testApp, user)).id);

let serial = 0;

export const accountSamples = {
  "account.profile": nothing,
  "account.updateProfile": () => ({ body: profileBody }),
  "account.updateNotifications": () => ({ body: { email_notifications: true } }),
  async "account.updateEmail"(world, token) {
    const email = `moved${++serial}@example.com`;
    const user = await standIn(world, token);
    return { ...(user && { token: user.token }), body: { email, email_confirmation: email } };
  },
  async "account.confirmEmail"({ testApp }) {
    const { token } = await createUser(testApp);
    const email = `moved${++serial}@example.com`;
    await expectStatus(
      call(testApp, routes.account.updateEmail, {
        token,
        body: { email, email_confirmation: email },
      }),
      200,
    );
    return { body: { token: await until(async () => linkToken(await mailsTo(testApp, email))) } };
  },
  async "account.updatePassword"(world, token) {
    const user = await standIn(world, token);
    const password = "another battery staple";
    return {
      ...(user && { token: user.token }),
      body: {
        current_password: "correct horse battery",
        password,
        password_confirmation: password,
      },
    };
  },
  "passkeys.list": nothing,
  "passkeys.begin": nothing,
  async "passkeys.add"(world, token) {
    const user = await standIn(world, token);
    if (user === undefined) return {};
    const begun = await call(world.testApp, routes.passkeys.beginPasskey, { token: user.token });
    const authenticator = createAuthenticator(originOf(world.testApp));
    const credential = authenticator.create(begun.json().options);
    return { token: user.token, body: { name: "Sample", credential } };
  },
  async "passkeys.rename"(world, token) {
    return { ...(await ofPasskey(world, token)), body: { name: "Renamed" } };
  },
  "passkeys.remove": ofPasskey,
  "passkeys.beginLogin": nothing,
  async "passkeys.logIn"({ testApp }) {
    const { authenticator } = await addPasskey(testApp, await createUser(testApp));
    return { body: { credential: authenticator.get(await loginOptions(testApp)) } };
  },
  "account.sessions": nothing,
  "liveChannel.createToken": nothing,
  "liveChannel.readToken": nothing,
  "account.revokeSession": ofStandIn(async ({ testApp }, user) => {
    const answer = await call(testApp, routes.account.listSessions, { token: user.token });
    const { sessions } = routes.account.listSessions.response.parse(answer.json());
    return sessions[0]?.id ?? "";
  }),
  async "account.revokeSessions"(world, token) {
    const user = await standIn(world, token);
    return user === undefined ? {} : { token: user.token };
  },
  async "account.regenerateApiKey"(world, token) {
    const user = await standIn(world, token);
    return user === undefined ? {} : { token: user.token };
  },
  async "account.revealApiKey"(world, token) {
    const user = await standIn(world, token);
    if (user === undefined) return {};
    await call(world.testApp, routes.account.regenerateApiKey, { token: user.token });
    return { token: user.token };
  },
  "account.apiKeys": nothing,
  async "account.createApiKey"(world, token) {
    const user = await standIn(world, token);
    return { ...(user && { token: user.token }), body: { name: "Sample", scope: "read" } };
  },
  "account.deleteApiKey": ofStandIn(async ({ testApp }, user) => {
    const answer = await call(testApp, routes.account.createApiKey, {
      token: user.token,
      body: { name: "Sample", scope: "read" },
    });
    return routes.account.createApiKey.response.parse(answer.json()).key.id;
  }),
  "account.export": nothing,
  async "account.delete"(world, token) {
    const user = await standIn(world, token);
    return user === undefined
      ? { body: { email: "unknown@example.com" } }
      : { token: user.token, body: { email: user.email } };
  },

  "audit.list": nothing,
  "audit.export": nothing,
} satisfies Record<string, RouteSample>;

/** The token in the link of an e-mail change, once the mail has arrived. */
export function linkToken(mails: readonly { readonly text_body: string }[]): string | undefined {
  return mails.flatMap(({ text_body }) => /#token=([\w-]+)/.exec(text_body)?.[1] ?? []).at(-1);
}
