import { newId } from "#src/platform/database/ids.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import type { RouteSample } from "./route-sample.ts";
import { confirm, beginTopUp, changeRecord } from "./test-payments.ts";
import { createStaff, createUser } from "./test-users.ts";
import type { TestWorld } from "./test-world.ts";

const reason = "Ticket 1042";
const ofOwner: RouteSample = ({ owner }) => ({ params: { userId: owner.id } });

/** An account of its own, because the call changes it. */
async function customer({ testApp }: TestWorld) {
  return { params: { userId: (await createUser(testApp)).id } };
}

function hasLost({ testApp }: TestWorld, userId: string): Promise<unknown> {
  return testApp.platform.db
    .updateTable("users")
    .set({ two_factor_enabled_at: testApp.clock.now() })
    .where("id", "=", userId)
    .execute();
}

let colleague: { readonly world: TestWorld; readonly id: string } | undefined;

/** The staff member who asked for what the caller decides. */
async function colleagueOf(world: TestWorld): Promise<string> {
  if (colleague?.world !== world) {
    colleague = { world, id: (await createStaff(world.testApp)).id };
  }
  return colleague.id;
}

async function waiting(
  world: TestWorld,
  order: { readonly kind: "adjust" | "two-factor-off"; readonly userId: string },
): Promise<string> {
  const { testApp } = world;
  const id = newId();
  const { kind, userId } = order;
  await testApp.platform.db
    .insertInto("staff_orders")
    .values({
      id,
      kind,
      user_id: userId,
      details: JSON.stringify(kind === "adjust" ? { userId, cents: 100 } : { userId }),
      cents: kind === "adjust" ? 100 : 0,
      reason,
      request_key: id,
      ordered_by: await colleagueOf(world),
      ordered_at: testApp.clock.now(),
      status: "waiting",
    })
    .execute();
  return id;
}

const ofMoneyOrder: RouteSample = async (world) => {
  const { params } = await customer(world);
  const orderId = await waiting(world, { kind: "adjust", ...params });
  return { params: { orderId }, body: { reason } };
};

const ofRemoval: RouteSample = async (world) => {
  const { params } = await customer(world);
  await hasLost(world, params.userId);
  await waiting(world, { kind: "two-factor-off", ...params });
  return { params, body: { reason } };
};

export const staffUserSamples = {
  "staffUsers.list": () => ({ query: { q: "example" } }),
  "staffUsers.read": ofOwner,
  "staffUsers.ledger": ofOwner,
  "staffUsers.audit": ofOwner,
  "staffUsers.record": ofOwner,
  "staffUsers.adjust": async (world) => ({
    ...(await customer(world)),
    body: { cents: 100, reason },
  }),
  async "staffUsers.refund"({ testApp }) {
    const user = await createUser(testApp);
    const topUp = await beginTopUp(testApp, user, { amount: 5 });
    await changeRecord(testApp, topUp, { status: "paid" });
    await confirm(testApp, user, topUp);
    return { params: { userId: user.id }, body: { intent_id: topUp.intent.id, reason } };
  },
  "staffUsers.block": async (world) => ({
    ...(await customer(world)),
    body: { block_shields: false, reason },
  }),
  async "staffUsers.unblock"(world) {
    const { params } = await customer(world);
    const { db } = world.testApp.platform;
    const now = world.testApp.clock.now();
    await db
      .updateTable("users")
      .set({ blocked_at: now })
      .where("id", "=", params.userId)
      .execute();
    return { params, body: { reason } };
  },
  "staffUsers.logOut": async (world) => ({ ...(await customer(world)), body: { reason } }),
  async "staffUsers.twoFactorOff"(world) {
    const { params } = await customer(world);
    await hasLost(world, params.userId);
    return { params, body: { reason } };
  },
  "staffUsers.confirmTwoFactorOff": ofRemoval,
  "staffUsers.rejectTwoFactorOff": ofRemoval,
  "staffUsers.orders": () => ({}),
  "staffUsers.confirmOrder": ofMoneyOrder,
  "staffUsers.rejectOrder": ofMoneyOrder,
  "staffUsers.viewAs": async (world) => ({ ...(await customer(world)), body: { reason } }),
  async "staffUsers.endView"({ testApp }, token) {
    const { db } = testApp.platform;
    const viewId = newId();
    const session =
      token === undefined
        ? undefined
        : await db
            .selectFrom("sessions")
            .select(["id", "user_id"])
            .where("token_hash", "=", hashToken(token))
            .executeTakeFirst();
    if (session !== undefined) {
      const now = testApp.clock.now();
      await db
        .insertInto("staff_views")
        .values({
          id: viewId,
          session_id: session.id,
          staff_id: session.user_id,
          user_id: (await createUser(testApp)).id,
          token_hash: viewId,
          created_at: now,
          expires_at: new Date(now.getTime() + 900_000),
        })
        .execute();
    }
    return { params: { viewId } };
  },
  "staffUsers.search": () => ({ query: { q: "example" } }),
} satisfies Record<string, RouteSample>;
