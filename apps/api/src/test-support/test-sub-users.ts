import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { profileBody } from "./account-samples.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";
import { inviteByMail } from "./test-invitations.ts";
import { enrolEdge } from "./test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  mailsTo,
  proveAnew,
  type TestUser,
} from "./test-users.ts";

let serial = 0;
export const freshEmail = (): string => `guest${++serial}@example.com`;

/** An app with an edge, whose mails have links. */
export async function createInvitingApp(
  options: Pick<TestAppOptions, "onLog"> = {},
): Promise<TestApp> {
  const config = { publicUrl: "https://palisade.example/" };
  const testApp = await createTestApp({ ...options, config });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  return testApp;
}

/** Calls about the sub-users of the current test's shield. */
export function subUserCalls(
  now: () => { readonly testApp: TestApp; readonly owner: TestUser; readonly shieldId: string },
) {
  async function invite(email: unknown, by = now().owner) {
    const { testApp, shieldId } = now();
    await proveAnew(testApp, by.token);
    return call(testApp, routes.subUsers.addSubUser, {
      token: by.token,
      params: { id: shieldId },
      body: { email },
    });
  }

  async function listed() {
    const { testApp, owner, shieldId } = now();
    const answer = await expectStatus(
      call(testApp, routes.subUsers.listSubUsers, { token: owner.token, params: { id: shieldId } }),
      200,
    );
    return routes.subUsers.listSubUsers.response.parse(answer.json()).sub_users;
  }

  async function linkTo(email: string, mails = 1): Promise<string> {
    return until(async () => {
      const all = (await mailsTo(now().testApp, email)).flatMap(
        (mail) => /\/invitation#token=(\S+)/.exec(mail.text_body)?.[1] ?? [],
      );
      return all.length >= mails ? all.at(-1) : undefined;
    });
  }

  const read = (token: string) =>
    call(now().testApp, routes.subUsers.getInvitation, { body: { token } });
  const accept = ({ token: bearer }: TestUser, token: string) =>
    call(now().testApp, routes.subUsers.acceptInvitation, { token: bearer, body: { token } });
  const remove = async (subUserId: string, by = now().owner) => {
    const { testApp, shieldId } = now();
    await proveAnew(testApp, by.token);
    return call(testApp, routes.subUsers.removeSubUser, {
      token: by.token,
      params: { id: shieldId, subUserId },
    });
  };
  const look = (token: string) =>
    call(now().testApp, routes.servers.getServer, { token, params: { id: now().shieldId } });

  async function member(): Promise<TestUser & { readonly subUserId: string }> {
    const { testApp, shieldId } = now();
    const user = await createUser(testApp);
    const { id, token } = await inviteByMail(testApp, shieldId, user.email);
    await expectStatus(accept(user, token), 200);
    return { ...user, subUserId: id };
  }

  async function named(username: string): Promise<TestUser> {
    const { testApp } = now();
    const user = await createUser(testApp);
    const body = { ...profileBody, username };
    await expectStatus(
      call(testApp, routes.account.updateProfile, { token: user.token, body }),
      200,
    );
    return user;
  }

  return { invite, listed, linkTo, read, accept, remove, look, member, named };
}
