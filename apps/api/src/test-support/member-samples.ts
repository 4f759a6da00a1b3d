import { createUser } from "./test-users.ts";
import { inviteByMail } from "./test-invitations.ts";
import type { RouteSample } from "./route-sample.ts";
import { freshEmail, freshIp, isSession, ofShield } from "./sample-values.ts";
import { addMember } from "./test-shields.ts";

/** An invitation to the world's shield for a new address. */
const withInvitation: RouteSample = async ({ testApp, shieldId }) => {
  const { token } = await inviteByMail(testApp, shieldId, freshEmail());
  return { ip: freshIp(), body: { token } };
};

export const memberSamples = {
  "subUsers.list": ofShield,
  "subUsers.add": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { email: freshEmail() },
  }),
  async "subUsers.update"({ testApp, shieldId }) {
    const { id } = await inviteByMail(testApp, shieldId, freshEmail());
    return { params: { id: shieldId, subUserId: id }, body: { role: "viewer" } };
  },
  async "subUsers.remove"({ testApp, shieldId }) {
    const { id } = await inviteByMail(testApp, shieldId, freshEmail());
    return { params: { id: shieldId, subUserId: id } };
  },
  async "subUsers.leave"(world, token) {
    const params = { id: world.shieldId };
    if (!isSession(world, token)) return { params };
    const user = await createUser(world.testApp);
    await addMember(world.testApp, world.shieldId, user);
    return { token: user.token, params };
  },
  "invitations.get": withInvitation,
  "invitations.decline": withInvitation,
  async "invitations.accept"(world, token) {
    if (!isSession(world, token)) return { body: { token: "psi_none" } };
    const user = await createUser(world.testApp);
    const invitation = await inviteByMail(world.testApp, world.shieldId, user.email);
    return { token: user.token, body: { token: invitation.token } };
  },
} satisfies Readonly<Record<`subUsers.${string}` | `invitations.${string}`, RouteSample>>;
