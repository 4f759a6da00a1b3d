import type { ExportedPosting } from "./ledger-export.repository.ts";
import { formatCents } from "#src/features/ledger/money.service.ts";

/** Accounts of the German chart SKR 03 for those of the ledger. An accountant may map them anew. */
const datevAccounts: Readonly<Record<string, string>> = {
  cash: "1710",
  bonus: "1711",
  stripe_clearing: "1361",
  paypal_clearing: "1362",
  sandbox_clearing: "1369",
  // Not 8400, of which DATEV would take VAT itself: the ledger posts VAT apart.
  revenue: "8200",
  promo_expense: "4630",
  adjustments: "2709",
  vat_payable: "1776",
};

/** The account of what the table above does not know yet: it must not get lost. */
const unknownAccount = "1590";

export function csvHeader(): string[] {
  return [csvLine(["date", "txn", "business_key", "kind", "account", "user", "amount", "note"])];
}

/** One line for each posting; amounts of a txn sum to 0. */
export function csvLines(txn: readonly ExportedPosting[]): string[] {
  return txn.map((posting) =>
    csvLine([
      posting.at.toISOString(),
      posting.txnId,
      posting.businessKey,
      posting.kind,
      posting.account,
      posting.userId ?? "",
      formatCents(posting.cents),
      posting.note ?? "",
    ]),
  );
}

const datevColumns = [
  "Umsatz (ohne Soll/Haben-Kz)",
  "Soll/Haben-Kennzeichen",
  "WKZ Umsatz",
  "Konto",
  "Gegenkonto (ohne BU-Schlüssel)",
  "Belegdatum",
  "Belegfeld 1",
  "Buchungstext",
];

/** The head of DATEV's booking batch (EXTF 700), with what is known here; the rest stays empty. */
export function datevHeader(period: {
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
}): string[] {
  const stamp = period.now.toISOString().replaceAll(/\D/g, "").slice(0, 17);
  const last = new Date(period.to.getTime() - 1);
  const head = [
    '"EXTF"',
    "700",
    "21",
    '"Buchungsstapel"',
    "13",
    stamp,
    "",
    '"PA"',
    '""',
    '""',
    "",
    "",
    `${period.from.getUTCFullYear()}0101`,
    "4",
    dayNumber(period.from),
    dayNumber(last),
    '"Palisade"',
  ];
  return [`${head.join(";")}\r\n`, `${datevColumns.map(quote).join(";")}\r\n`];
}

/**
 * Pairs of accounts, as DATEV wants them: what leaves an account against what comes into another. A
 * txn with three postings, such as a purchase from cash and bonus, is two lines.
 */
export function datevLines(txn: readonly ExportedPosting[]): string[] {
  const open = txn.map((posting) => ({ posting, left: Math.abs(posting.cents) }));
  const givers = open.filter(({ posting }) => posting.cents < 0);
  const takers = open.filter(({ posting }) => posting.cents > 0);
  const lines: string[] = [];
  for (const giver of givers) {
    for (const taker of takers) {
      const cents = Math.min(giver.left, taker.left);
      if (cents === 0) continue;
      giver.left -= cents;
      taker.left -= cents;
      lines.push(datevLine(giver.posting, taker.posting, cents));
    }
  }
  return lines;
}

/** In the ledger a user's money is above 0; for the operator it is a debt, hence `S` on the giver. */
function datevLine(giver: ExportedPosting, taker: ExportedPosting, cents: number): string {
  const text = [giver.kind, giver.note ?? ""].filter(Boolean).join(": ");
  const fields = [
    formatCents(cents).replace(".", ","),
    quote("S"),
    quote("EUR"),
    datevAccount(giver),
    datevAccount(taker),
    `${dayNumber(giver.at).slice(6)}${dayNumber(giver.at).slice(4, 6)}`,
    quote(giver.txnId.replaceAll("-", "").slice(-12).toUpperCase()),
    quote(harmless(text).slice(0, 60)),
  ];
  return `${fields.join(";")}\r\n`;
}

function datevAccount({ account }: ExportedPosting): string {
  return datevAccounts[account] ?? unknownAccount;
}

/** `20261124` in UTC. */
function dayNumber(at: Date): string {
  return at.toISOString().slice(0, 10).replaceAll("-", "");
}

function csvLine(fields: readonly string[]): string {
  const isAmount = /^-?\d+\.\d\d$/;
  return `${fields.map((field) => quote(isAmount.test(field) ? field : harmless(field))).join(",")}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula. */
function harmless(text: string): string {
  const line = text.replaceAll(/[\r\n\t]+/g, " ");
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
