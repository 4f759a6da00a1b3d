import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type { ChargedFor, DocumentKind, TaxDecision } from "#src/schema/documents.ts";
import { documentsDueChannel } from "./documents-due.service.ts";

export interface DocumentDue {
  readonly txnId: string;
  readonly userId: string;
  readonly kind: DocumentKind;
  readonly tax: TaxDecision | null;
  readonly correctsKey: string | null;
  readonly chargedFor: ChargedFor | null;
  readonly at: Date;
}

/**
 * Notes that the txn needs a document. The buyer is kept as they are now: a document has to name the
 * one who paid, whatever they change before its number is taken.
 */
export async function insertDocumentDue(trx: Trx, due: DocumentDue): Promise<void> {
  const tax = due.tax === null ? null : JSON.stringify(due.tax);
  const chargedFor = due.chargedFor === null ? null : JSON.stringify(due.chargedFor);
  await sql`
    with due as (
      insert into documents_due (txn_id, user_id, kind, tax, corrects_key, charged_for, created_at, buyer)
      select ${due.txnId}::uuid, u.id, ${due.kind}, ${tax}::jsonb, ${due.correctsKey}, ${chargedFor}::jsonb,
        ${due.at}::timestamptz, jsonb_build_object(
          'email', u.email, 'first_name', p.first_name, 'last_name', p.last_name,
          'company_name', p.company_name, 'address_line_1', p.address_line_1,
          'address_line_2', p.address_line_2, 'zip_code', p.zip_code, 'city', p.city,
          'country', p.country, 'vat_id', p.vat_id)
      from users u left join profiles p on p.user_id = u.id
      where u.id = ${due.userId}
    )
    select pg_notify(${documentsDueChannel}, '')
  `.execute(trx);
}
