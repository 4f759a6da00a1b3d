import { routes } from "@palisade/contract/http/routes";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import { call } from "./test-users.ts";
import type { TestWorld } from "./test-world.ts";

/** An attack that is over, on the shield of the world. */
async function insertAttack({ testApp, shieldId }: TestWorld): Promise<string> {
  const id = newId();
  const now = testApp.clock.nowMs();
  await testApp.platform.db
    .insertInto("attacks")
    .values({
      id,
      shield_id: shieldId,
      edge_id: null,
      started_at: new Date(now - 120_000),
      ended_at: new Date(now - 60_000),
      is_over: true,
      peak_per_second: "40",
      sources: "12",
      refused: JSON.stringify({ rate: 70 }),
      edges: 1,
      relaxed_to: null,
    })
    .execute();
  return id;
}

const ofAttack: RouteSample = async (world) => ({
  params: { id: world.shieldId, attackId: await insertAttack(world) },
});

/** A link that the owner has made. */
async function shared(world: TestWorld) {
  const params = { id: world.shieldId, attackId: await insertAttack(world) };
  const { token } = world.owner;
  const answer = await call(world.testApp, routes.attacks.shareAttack, { token, params, body: {} });
  return { params, made: routes.attacks.shareAttack.response.parse(answer.json()) };
}

export const attackSamples = {
  "attacks.list": ({ shieldId }) => ({ params: { id: shieldId } }),
  "attacks.get": ofAttack,
  "attacks.pdf": ofAttack,
  "attacks.shares": ofAttack,
  async "attacks.share"(world) {
    const params = { id: world.shieldId, attackId: await insertAttack(world) };
    return { params, body: { days: 1 } };
  },
  async "attacks.revoke"(world) {
    const { params, made } = await shared(world);
    return { params: { ...params, shareId: made.share.id } };
  },
  async "attacks.shared"(world) {
    const { made } = await shared(world);
    return { body: { token: made.token } };
  },
} satisfies Record<string, RouteSample>;
