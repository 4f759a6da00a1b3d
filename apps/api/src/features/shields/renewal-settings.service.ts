import { toggleLockSeconds, type updateOverviewBody } from "@palisade/contract/http/servers";
import type { TextKey } from "@palisade/contract/texts/en";
import type { z } from "zod";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { lockRenewalSettings, updateRenewalSettings } from "./shields.repository.ts";

const toggles = ["automatic_renewal", "include_balance"] as const;
type Toggle = (typeof toggles)[number];
type Stored = Awaited<ReturnType<typeof lockRenewalSettings>>;

const texts = {
  automatic_renewal: { refused: "renewal.not_active", changed: "ok.renewal_changed" },
  include_balance: { refused: "balance.not_active", changed: "ok.balance_changed" },
} as const satisfies Record<Toggle, { readonly refused: TextKey; readonly changed: TextKey }>;

/**
 * Sets the renewal toggles the body names. No edge needs to know, so there is no revision.
 *
 * @throws DomainError `server_not_active`, or `rate_limited` within the lock of a toggle
 */
export async function changeRenewal(
  trx: Trx,
  { shieldId, now }: { readonly shieldId: string; readonly now: Date },
  body: z.output<typeof updateOverviewBody>,
) {
  const stored = await lockRenewalSettings(trx, shieldId);
  const sent = toggles.filter((toggle) => body[toggle] !== undefined);
  const [first = "automatic_renewal"] = sent;
  if (stored.status !== "active") {
    throw new DomainError("server_not_active", { text: texts[first].refused });
  }
  const changed = sent.filter((toggle) => body[toggle] !== stored[toggle]);
  for (const toggle of changed) requireUnlocked(stored, toggle, now);
  const settings = {
    automatic_renewal: body.automatic_renewal ?? stored.automatic_renewal,
    include_balance: body.include_balance ?? stored.include_balance,
  };
  if (changed.length > 0) {
    await updateRenewalSettings(trx, shieldId, {
      ...settings,
      ...Object.fromEntries(changed.map((toggle) => [`${toggle}_changed_at`, now])),
    });
    const changes = changed.map((toggle) => ({
      field: toggle,
      before: stored[toggle],
      after: settings[toggle],
    }));
    await recordChange(trx, { shieldId, now }, "plan", changes);
  }
  const told = changed.length > 0 ? changed : sent;
  return { settings, texts: told.map((toggle) => texts[toggle].changed) };
}

function requireUnlocked(stored: Stored, toggle: Toggle, now: Date): void {
  const changedAt = stored[`${toggle}_changed_at`];
  if (changedAt === null) return;
  const left = Math.ceil(toggleLockSeconds - (now.getTime() - changedAt.getTime()) / 1000);
  if (left <= 0) return;
  // A replica whose clock is behind must not lock for longer.
  const seconds = Math.min(left, toggleLockSeconds);
  throw new DomainError("rate_limited", { values: { seconds }, retryAfterSeconds: seconds });
}
