import { msg } from "@lingui/core/macro";
import type { StaffOrder, StaffUserItem } from "@palisade/contract/http/staff-user-shapes";
import type { Tone } from "#src/ui/status.tsx";

export const stateLabels = {
  active: msg`Active`,
  unconfirmed: msg`E-mail not confirmed`,
  blocked: msg`Blocked`,
  deleted: msg`Deleted`,
} satisfies Record<StaffUserItem["state"], unknown>;

export const stateTones: Record<StaffUserItem["state"], Tone> = {
  active: "protected",
  unconfirmed: "idle",
  blocked: "danger",
  deleted: "idle",
};

export const orderLabels = {
  adjust: msg`Adjust the balance`,
  reverse: msg`Reverse a transaction`,
  refund: msg`Refund a top-up`,
  quarantine: msg`Resolve a payment in quarantine`,
  "two-factor-off": msg`Remove two-factor`,
} satisfies Record<StaffOrder["kind"], unknown>;

/** Kinds of transactions of the ledger. */
export const ledgerLabels: Readonly<Record<string, ReturnType<typeof msg>>> = {
  top_up: msg`Top-up`,
  promo_bonus: msg`Promo bonus`,
  purchase: msg`Purchase`,
  renewal: msg`Renewal`,
  refund: msg`Refund`,
  dispute: msg`Dispute`,
  adjustment: msg`Adjustment`,
};
