export type CaptureStatus =
  | "COMPLETED"
  | "PENDING"
  | "DECLINED"
  | "REFUNDED"
  | "PARTIALLY_REFUNDED";

export interface Refund {
  readonly id: string;
  readonly cents: number;
  readonly customId: string | undefined;
  readonly at: Date;
  status: "COMPLETED" | "PENDING" | "FAILED";
}

export interface Dispute {
  readonly id: string;
  status: "OPEN" | "RESOLVED";
  outcome?: string;
}

/** An order as the stand-in of PayPal remembers it. */
export interface PaypalStoredOrder {
  readonly id: string;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly createdAt: Date;
  updatedAt: Date;
  cents: number;
  currency: string;
  payee: string;
  /** The country of the payer's account, which PayPal names once they have approved. */
  payerCountry: string;
  status: "PAYER_ACTION_REQUIRED" | "APPROVED" | "COMPLETED" | "VOIDED";
  capture?: { readonly id: string; readonly at: Date; status: CaptureStatus };
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
}
