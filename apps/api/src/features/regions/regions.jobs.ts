import type { ShieldSweep } from "#src/features/configuration/shield-sweep.service.ts";
import { forgetLeft } from "./regions.repository.ts";

/** Removes shields from the edges of regions they have left, once DNS no longer leads players there. */
export const regionSweep: ShieldSweep = {
  name: "regions.sweep",
  cron: "* * * * *",
  failure: "A region that was left could not be taken off",
  due: ["shield_left_locations", "until"],
  end: forgetLeft,
};
