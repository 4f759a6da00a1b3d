import { StaffOrderRefused } from "#src/features/staff-orders/staff-orders.service.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** Rethrows the refusal of an order as the api's answer. */
export function refusalOf(error: unknown): never {
  if (!(error instanceof StaffOrderRefused)) throw error;
  switch (error.refusal) {
    case "unknown":
      throw new DomainError("not_found");
    case "own":
      throw new DomainError("conflict", { text: "staff.order_own" });
    case "decided":
    case "key used":
      throw new DomainError("conflict", { text: "staff.order_decided" });
  }
}
