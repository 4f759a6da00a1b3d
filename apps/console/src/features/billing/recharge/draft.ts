import { paymentMethods, type PaymentMethod } from "@palisade/contract/http/billing";
import { onSessionEnd } from "#src/api/session.ts";
import { nextAmount } from "./amount.ts";

const key = "recharge_draft";

export interface RechargeDraft {
  /** Digits as typed. */
  readonly amount: string;
  readonly coupon: string;
  readonly method: PaymentMethod | null;
}

const empty: RechargeDraft = { amount: "", coupon: "", method: null };

/** The typed values of this tab, for the return from the provider's page. */
export const rechargeDraft = {
  read(): RechargeDraft {
    return parseDraft(sessionStorage.getItem(key));
  },
  store(draft: RechargeDraft): void {
    sessionStorage.setItem(key, JSON.stringify(draft));
  },
  clear(): void {
    sessionStorage.removeItem(key);
  },
};

onSessionEnd(() => rechargeDraft.clear());

/** Takes over valid values only: extensions and users can change the storage. */
export function parseDraft(stored: string | null): RechargeDraft {
  let draft: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(stored ?? "null");
    if (parsed instanceof Object) draft = Object.fromEntries(Object.entries(parsed));
  } catch {
    return empty;
  }
  const { amount, coupon, method }: { amount?: unknown; coupon?: unknown; method?: unknown } =
    draft;
  return {
    amount: typeof amount === "string" ? nextAmount("", amount) : "",
    coupon: typeof coupon === "string" ? coupon : "",
    method: paymentMethods.find((known) => known === method) ?? null,
  };
}
