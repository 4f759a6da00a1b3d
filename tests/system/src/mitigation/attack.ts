import { attackRoutes, type Attack } from "@palisade/contract/http/attacks";
import { until } from "@palisade/testing/until";
import type { GuardedShield } from "./guarded-shield.ts";
import { rawLogin } from "./raw-login.ts";
import { hello } from "./rules.ts";
import type { MitigationFixture } from "./fixture.ts";

/** The attackers have networks of their own, from which no player pings or joins. */
const bots = Array.from({ length: 45 }, (_, at) => `127.${10 + (at % 3)}.0.${at + 1}`);

export async function attacksOn(
  { minecraft: { owner } }: MitigationFixture,
  { params }: GuardedShield,
): Promise<Attack[]> {
  return (await owner(attackRoutes.listAttacks, { params, query: {} })).data.data;
}

/** Many logins at once, again and again until they are an attack. @returns it, once it is told */
export async function attack(fixture: MitigationFixture, shield: GuardedShield): Promise<Attack> {
  // The second is the machine's: one that stalls makes several of a flood.
  const [running] = await until(
    async () => {
      const logins = bots.map((from) =>
        rawLogin(fixture.minecraft.edge, from, hello(fixture, fixture.joinerAt(shield, from))),
      );
      await Promise.all(logins);
      const found = await attacksOn(fixture, shield);
      return found.length > 0 && found;
    },
    { everyMs: 1_000, what: "the attack in the list" },
  );
  if (running === undefined) throw new Error("There is no attack");
  return running;
}
