import type { ShieldSweep } from "#src/features/configuration/shield-sweep.service.ts";
import { deleteEnded } from "./network-rules.repository.ts";

/** Removes rules that ended a day ago. Edges ignore a rule from its end on, whether or not this runs. */
export const endedRulesSweep: ShieldSweep = {
  name: "network-rules.sweep",
  cron: "17 * * * *",
  failure: "Ended rules of a shield could not be removed",
  due: ["firewall_network_rules", "expires_at"],
  afterMs: 24 * 3_600_000,
  end: deleteEnded,
};
