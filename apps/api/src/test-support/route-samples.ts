import { routes, type RouteId } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { newId } from "#src/platform/database/ids.ts";
import { accountSamples, standIn } from "./account-samples.ts";
import { attackSamples } from "./attack-samples.ts";
import { backendSamples } from "./backend-samples.ts";
import { cardSamples } from "./card-samples.ts";
import type { RouteSample } from "./route-sample.ts";
import { notificationSamples } from "./notification-samples.ts";
import { ticketSamples } from "./ticket-samples.ts";
import { billingSamples } from "./billing-samples.ts";
import { firewallSamples } from "./firewall-samples.ts";
import { memberSamples } from "./member-samples.ts";
import { freshEmail, freshIp, freshNumber, isSession, nothing, ofShield } from "./sample-values.ts";
import { bedrockSamples } from "./bedrock-samples.ts";
import { staffOperationsSamples } from "./staff-operations-samples.ts";
import { statusSamples } from "./status-samples.ts";
import { staffTicketSamples } from "./staff-ticket-samples.ts";
import { staffUserSamples } from "./staff-user-samples.ts";
import { subscriptionSamples } from "./subscription-samples.ts";
import { authenticatorCode, createTwoFactorUser, setUpTwoFactor } from "./test-two-factor.ts";
import { createShield, inviteEdge, shieldBody, type TestWorld } from "./test-world.ts";
import { call, createUser, newestCode, openSession, testPassword } from "./test-users.ts";

export type { RouteId };

/** An edge heard of lately is waited for, and the world's has no stream to be asked by. */
async function silenceEdges({ testApp }: TestWorld): Promise<void> {
  await testApp.platform.db.updateTable("edges").set({ last_seen_at: null }).execute();
}

/** The newest entry of the shield's history. */
const ofHistory: RouteSample = async ({ testApp, shieldId }) => {
  const { id } = await testApp.platform.db
    .selectFrom("shield_changes")
    .select("id")
    .where("shield_id", "=", shieldId)
    .orderBy("position", "desc")
    .executeTakeFirstOrThrow();
  return { params: { id: shieldId, entryId: id } };
};

function registration(email: string) {
  return {
    email,
    password: testPassword,
    password_confirmation: testPassword,
    accept_privacy_policy: true,
  };
}

async function registered({ testApp }: TestWorld): Promise<{ email: string; ip: string }> {
  const email = freshEmail();
  const ip = freshIp();
  await call(testApp, routes.auth.register, { ip, body: registration(email) });
  return { email, ip };
}

const withBackupCode: RouteSample = async (world, token) => {
  if (!isSession(world, token)) return { body: { code: "ABCDEFGH" } };
  const user = await createTwoFactorUser(world.testApp);
  return { token: user.token, body: { code: user.backupCodes[0] } };
};

async function resetCode({ testApp }: TestWorld): Promise<{ email: string; code: string }> {
  const { email } = await createUser(testApp);
  await call(testApp, routes.passwordReset.forgotPassword, { ip: freshIp(), body: { email } });
  return { email, code: await newestCode(testApp, email) };
}

/** The plan has room for one. */
async function onlyDomain(
  { testApp, shieldId }: TestWorld,
  { isRemoved = false }: { readonly isRemoved?: boolean } = {},
) {
  const { db } = testApp.platform;
  await db.deleteFrom("shield_domains").where("shield_id", "=", shieldId).execute();
  const now = testApp.clock.now();
  const id = newId();
  const row = {
    id,
    shield_id: shieldId,
    name: `only${freshNumber()}.example.com`,
    created_at: now,
  };
  const removed_at = isRemoved ? now : null;
  await db
    .insertInto("shield_domains")
    .values({ ...row, verified_at: null, removed_at })
    .execute();
  return { params: { id: shieldId, domainId: id } };
}
/** The free plan has none. */
async function allowCaching({ testApp }: TestWorld): Promise<void> {
  await sql`update pricing_plans set limits = limits || '{"caching": true}'`.execute(
    testApp.platform.db,
  );
}

/** A route without a sample does not compile. */
export const routeSamples: Readonly<Record<RouteId, RouteSample>> = {
  "auth.register": () => ({ body: registration(freshEmail()), ip: freshIp() }),
  async "auth.verifyEmailCode"(world) {
    const { email, ip } = await registered(world);
    return { ip, body: { email, code: await newestCode(world.testApp, email) } };
  },
  async "auth.resendVerificationCode"(world) {
    const { email, ip } = await registered(world);
    return { ip, body: { email } };
  },
  "auth.login": ({ owner }) => ({
    ip: freshIp(),
    body: { email: owner.email, password: testPassword },
  }),
  "auth.user": nothing,
  async "auth.logout"(world, token) {
    // The sample must not end the session that the next calls need.
    const user = Object.values(world).find(
      (each) => typeof each === "object" && "token" in each && each.token === token,
    );
    if (user === undefined) return {};
    return { token: await openSession(world.testApp, user) };
  },

  async "auth.forgotPassword"(world) {
    return { ip: freshIp(), body: { email: (await createUser(world.testApp)).email } };
  },
  async "auth.resendResetCode"(world) {
    return { ip: freshIp(), body: { email: (await createUser(world.testApp)).email } };
  },
  async "auth.verifyResetCode"(world) {
    const { email, code } = await resetCode(world);
    return { ip: freshIp(), body: { email, code } };
  },
  async "auth.resetPassword"(world) {
    const password = "a new long password";
    const body = { ...(await resetCode(world)), password, password_confirmation: password };
    return { ip: freshIp(), body };
  },

  async "twoFactor.setup"(world, token) {
    return isSession(world, token) ? { token: (await createUser(world.testApp)).token } : {};
  },
  async "twoFactor.enable"(world, token) {
    if (!isSession(world, token)) return { body: { code: "123456" } };
    const user = await createUser(world.testApp);
    const secret = await setUpTwoFactor(world.testApp, user);
    return { token: user.token, body: { code: authenticatorCode(world.testApp, secret) } };
  },
  "twoFactor.disable": withBackupCode,
  "twoFactor.backupCodes": nothing,
  "twoFactor.regenerateBackupCodes": withBackupCode,
  "twoFactor.beginStepUp": nothing,
  // A step-up replaces the caller's token.
  async "twoFactor.stepUp"(world, token) {
    const user = await standIn(world, token);
    return { ...(user && { token: user.token }), body: { current_password: testPassword } };
  },

  "plans.listPricingPlans": nothing,
  "plans.listLocations": nothing,
  "plans.listSupportPlans": nothing,

  "minecraft.versions": nothing,

  "servers.generateCname": nothing,
  async "servers.create"(world, token) {
    // A caller who may not reserve a name is refused before the body is read.
    const isUser = token !== undefined && token !== world.edgeCredential && token !== world.readKey;
    return { body: isUser ? await shieldBody(world.testApp, token) : {} };
  },
  "servers.list": nothing,
  "servers.get": ofShield,
  "servers.overview": ofShield,
  // As it is already: a change would lock the toggle for the calls after it.
  "servers.updateOverview": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { automatic_renewal: true, include_balance: true },
  }),
  "servers.propagation": ofShield,

  "servers.rename": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { server_name: "Renamed" },
  }),
  async "servers.delete"(world, token) {
    const { testApp, owner, shieldId } = world;
    const isOwner = token === owner.token || token === world.writeKey;
    // The world's own shield is needed by the calls after it.
    const id = isOwner ? await createShield(testApp, owner) : shieldId;
    const { server_name } = await testApp.platform.db
      .selectFrom("shields")
      .select("server_name")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return { params: { id }, body: { server_name } };
  },
  // As it is already.
  "servers.restore": ofShield,

  "servers.checkDomain": () => ({ body: { domain: "sample.example.com" } }),
  async "servers.checkCname"(world, token) {
    const isUser = token !== undefined && token !== world.edgeCredential && token !== world.readKey;
    return { body: isUser ? await shieldBody(world.testApp, token) : {} };
  },

  async "servers.doctor"(world) {
    await silenceEdges(world);
    return { params: { id: world.shieldId } };
  },
  async "servers.probe"(world) {
    await silenceEdges(world);
    return { body: { real_ip: "127.0.0.1", real_port: 25_565 } };
  },

  "domains.list": ofShield,
  async "domains.add"(world) {
    await onlyDomain(world, { isRemoved: true });
    return {
      params: { id: world.shieldId },
      body: { domain: `added${freshNumber()}.example.com` },
    };
  },
  async "domains.update"(world) {
    return { ...(await onlyDomain(world)), body: { group_id: null } };
  },
  "domains.remove": (world) => onlyDomain(world),
  "domains.restore": (world) => onlyDomain(world, { isRemoved: true }),
  "domains.setup": (world) => onlyDomain(world),
  "domains.check": (world) => onlyDomain(world),

  "region.get": ofShield,
  // The current region: a change would lock the region for later calls.
  "region.update": ({ shieldId }) => ({ params: { id: shieldId }, body: { location: "local" } }),

  ...backendSamples,
  ...ticketSamples,
  ...staffTicketSamples,
  ...subscriptionSamples,
  "origin.get": ofShield,
  "origin.addresses": () => ({ ip: freshIp() }),
  ...firewallSamples,
  ...memberSamples,
  "serverMessages.get": ofShield,
  "serverMessages.update": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { firewall: { blacklist_msg: "Go away" } },
  }),
  async "serverMessages.image"({ testApp, shieldId }) {
    await testApp.platform.db
      .updateTable("shield_messages")
      .set({ offline_image: Buffer.from("an image") })
      .where("shield_id", "=", shieldId)
      .execute();
    return { params: { id: shieldId } };
  },

  "caching.get": ofShield,
  async "caching.update"(world) {
    await allowCaching(world);
    return { params: { id: world.shieldId }, body: { caching_enabled: true } };
  },
  async "caching.purge"(world) {
    await allowCaching(world);
    return { params: { id: world.shieldId } };
  },

  "mitigation.get": ofShield,
  "mitigation.update": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { anti_forge: true },
  }),
  "mitigation.challenges": ofShield,
  "mitigation.tryAddress": ofShield,
  "mitigation.startTry": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { challenge: "gravity" },
  }),
  "mitigation.endTry": ofShield,
  "mitigation.replay": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { anti_forge: true },
  }),

  ...attackSamples,
  ...notificationSamples,
  "logs.entries": ofShield,
  "analytics.get": ofShield,
  "analytics.export": ofShield,
  "logs.export": ofShield,
  // Ends at once.
  "logs.tail": ({ shieldId }) => ({ params: { id: shieldId }, query: { seconds: "0" } }),
  "logs.settings": ofShield,
  "logs.updateSettings": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { logs_refresh_interval: 30 },
  }),
  "logs.erasePlayer": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { player: "Notch" },
  }),
  "history.list": ofShield,
  "history.export": ofShield,
  "history.compare": ofHistory,
  async "history.restore"(world, token) {
    return { ...(await ofHistory(world, token)), body: {} };
  },

  "profile.dashboard": nothing,

  ...accountSamples,

  ...billingSamples,
  ...cardSamples,

  "announcements.list": nothing,
  ...staffOperationsSamples,
  ...bedrockSamples,
  ...staffUserSamples,

  ...statusSamples,

  async "edge.enrol"({ testApp, staff }) {
    return {
      ip: freshIp(),
      body: { token: (await inviteEdge(testApp, staff)).token, addresses: [] },
    };
  },
  "edge.renewCredential": nothing,
  "edge.config": nothing,
  "edge.acks": () => ({ body: { version: 0, acks: [] } }),
  "edge.probes": () => ({
    body: {
      id: newId(),
      attempts: [{ proxy: false, outcome: "refused", latency_ms: null, status: null }],
    },
  }),
  "edge.telemetry": () => ({ body: { boot_id: newId(), seq: 1, minutes: [], live: [] } }),
};
