import { endedShownMs } from "@palisade/contract/http/firewall-entry";
import type { ShieldSweep } from "#src/features/configuration/shield-sweep.service.ts";
import { deleteEndedBefore, markEnded } from "./entry-ends.repository.ts";
import { updateSwitches } from "./firewall.repository.ts";

/**
 * Takes entries whose end has passed out of configurations, and removes them a day later. Edges have
 * stopped to apply them by then, by their own clocks.
 */
export const entryEnds: ShieldSweep = {
  name: "firewall.ends",
  cron: "* * * * *",
  failure: "Entries of a firewall could not be ended",
  due: ["shield_firewalls", "next_end_at"],
  async end(trx, shieldId, now) {
    const ended = await markEnded(trx, shieldId, now);
    await deleteEndedBefore(trx, shieldId, new Date(now.getTime() - endedShownMs));
    await updateSwitches(trx, shieldId, {});
    return ended > 0;
  },
};
