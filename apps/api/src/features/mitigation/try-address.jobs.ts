import type { ShieldSweep } from "#src/features/configuration/shield-sweep.service.ts";
import { deleteEndedTry } from "./try-address.repository.ts";

/** Takes names whose time is over out of the zone. Edges stop to take players by them at the time itself. */
export const tryExpiry: ShieldSweep = {
  name: "mitigation.try-expiry",
  cron: "*/5 * * * *",
  failure: "A try address could not be removed",
  due: ["shield_try_addresses", "expires_at"],
  end: deleteEndedTry,
};
