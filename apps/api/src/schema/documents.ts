import type { documentKinds, documentMethods } from "@palisade/contract/http/invoices";
import type { ColumnType, JSONColumnType } from "kysely";
import type { BigIntText, Generated, Timestamp } from "./columns.ts";

export type DocumentKind = (typeof documentKinds)[number];

/** The buyer as they were when the money moved. */
export interface Buyer {
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly company_name: string | null;
  readonly address_line_1: string | null;
  readonly address_line_2: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly vat_id: string | null;
}

/**
 * - `none` the seller charges no VAT
 * - `domestic`, `destination` the rate of the seller's, of the buyer's country
 * - `reverse_charge` a business of another EU country owes it
 * - `outside` the buyer is outside the EU
 */
export type VatTreatment = "none" | "domestic" | "destination" | "reverse_charge" | "outside";

/** The knowledge about the buyer's country when VAT was decided. */
export interface PlaceEvidence {
  readonly profile: string | null;
  readonly card: string | null;
  readonly wallet: string | null;
  readonly ip: string | null;
  /** The /24 or /48 that the last login came from. */
  readonly network: string | null;
  /** What VIES said of the VAT id, if it was asked. */
  readonly vat_id_answer: { readonly at: string; readonly reference: string | null } | null;
}

export interface TaxDecision {
  readonly treatment: VatTreatment;
  /** Hundredths of a per cent: 1900 is 19 %. */
  readonly rate_bp: number;
  /** The country of the rate; null where the treatment has none. */
  readonly country: string | null;
  readonly evidence: PlaceEvidence | null;
}

/** The plan and period that a charge pays for. */
export interface ChargedFor {
  /** The plan of a shield, or a support plan. */
  readonly plan_id: string;
  readonly starts_at: string;
  readonly ends_at: string;
}

/** The subject of a document, in a form that reads in every language. */
export interface DocumentSubject {
  readonly txn: string;
  readonly server?: string;
  /** An account's support plan, not a shield's. */
  readonly is_support?: true;
  readonly plan?: { readonly en: string; readonly ru: string };
  readonly period?: { readonly starts_at: string; readonly ends_at: string };
  /** Paid at the sandbox: no money has moved. */
  readonly is_sandbox?: true;
}

/** The operator as settings named them; the newest applies. */
interface SellersTable {
  id: string;
  name: string;
  address: string;
  email: string;
  country: string | null;
  vat_id: string | null;
  charges_vat: boolean;
  valid_from: Timestamp;
}

interface DocumentsDueTable {
  txn_id: string;
  user_id: string;
  kind: DocumentKind;
  buyer: JSONColumnType<Buyer>;
  tax: ColumnType<TaxDecision | null, string | null, never>;
  corrects_key: string | null;
  charged_for: ColumnType<ChargedFor | null, string | null, never>;
  created_at: Timestamp;
}

interface DocumentSeriesTable {
  kind: DocumentKind;
  year: number;
  last_number: number;
  last_issued_at: Timestamp;
}

interface DocumentsTable {
  id: string;
  txn_id: string;
  user_id: string;
  kind: DocumentKind;
  year: number;
  number: number;
  /** As people read it; computed by the database. */
  shown_number: ColumnType<string, never, never>;
  seller_id: string;
  buyer: JSONColumnType<Buyer>;
  tax: JSONColumnType<TaxDecision>;
  subject: JSONColumnType<DocumentSubject>;
  payment_method: (typeof documentMethods)[number];
  net_cents: BigIntText;
  tax_cents: BigIntText;
  total_cents: BigIntText;
  corrects_id: string | null;
  supplied_at: Timestamp;
  issued_at: Timestamp;
}

interface VatIdChecksTable {
  user_id: string;
  country: string;
  vat_id: string;
  is_valid: boolean | null;
  answered_at: Timestamp | null;
  name: string | null;
  reference: string | null;
  tries: Generated<number>;
  next_at: Timestamp;
}

interface VatEvidenceTable {
  user_id: string;
  source: "card" | "wallet" | "ip";
  country: string;
  seen_at: Timestamp;
}

export interface DocumentsTables {
  sellers: SellersTable;
  documents_due: DocumentsDueTable;
  document_series: DocumentSeriesTable;
  documents: DocumentsTable;
  vat_id_checks: VatIdChecksTable;
  vat_evidence: VatEvidenceTable;
}
