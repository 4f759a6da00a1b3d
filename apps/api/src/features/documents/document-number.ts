import type { DocumentKind } from "#src/schema/documents.ts";

/** Kinds have series of their own; the prefix tells them apart in every language. */
const numberPrefixes: Readonly<Record<DocumentKind, string>> = {
  receipt: "RCT",
  invoice: "INV",
  credit_note: "CRN",
};

/** `INV-2026-000042`, as the column `shown_number` has it, too. */
export function documentNumber(document: {
  readonly kind: DocumentKind;
  readonly year: number;
  readonly number: number;
}): string {
  const { kind, year, number } = document;
  return `${numberPrefixes[kind]}-${year}-${String(number).padStart(6, "0")}`;
}
