import type { RouteId } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import type { TestWorld } from "./test-world.ts";

let serial = 0;

/** A shield whose plan has Bedrock, with as few ports as it takes to add another. */
async function allowBedrock({ testApp, shieldId }: TestWorld) {
  const { db } = testApp.platform;
  await sql`update pricing_plans set limits = limits || '{"bedrock": true}'`.execute(db);
  await db.deleteFrom("bedrock_ports").where("shield_id", "=", shieldId).execute();
  return { params: { id: shieldId } };
}

export const bedrockSamples: Readonly<Record<Extract<RouteId, `bedrock.${string}`>, RouteSample>> =
  {
    "bedrock.get": ({ shieldId }) => ({ params: { id: shieldId } }),
    async "bedrock.update"(world) {
      return { ...(await allowBedrock(world)), body: { bedrock_enabled: true } };
    },
    "bedrock.addRandom": allowBedrock,
    async "bedrock.addDefault"(world) {
      const { db } = world.testApp.platform;
      await sql`
      insert into shield_bedrock (shield_id, default_granted) values (${world.shieldId}, true)
      on conflict (shield_id) do update set default_granted = true
    `.execute(db);
      return allowBedrock(world);
    },
    async "bedrock.remove"(world) {
      const { params } = await allowBedrock(world);
      const id = newId();
      await world.testApp.platform.db
        .insertInto("bedrock_ports")
        .values({
          id,
          shield_id: params.id,
          port: 30_000 + ++serial,
          location: null,
          created_at: world.testApp.clock.now(),
        })
        .execute();
      return { params: { ...params, portId: id } };
    },
  };
