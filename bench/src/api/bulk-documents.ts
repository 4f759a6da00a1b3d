import type { Client } from "pg";

/**
 * Fills a year of one account by SQL: txns and their documents, in the proportions of an account that tops
 * up and buys, and as many of other accounts. References hold by construction.
 */
export async function insertDocuments(
  client: Client,
  { email, count, year }: { readonly email: string; readonly count: number; readonly year: number },
): Promise<void> {
  await client.query("begin");
  await client.query("set local session_replication_role = replica");
  for (const [owner, first] of [
    ["(select id from users where email_key = $1)", 0],
    // Others' documents are in the same table and indexes.
    ["md5(n::text)::uuid", count],
  ] as const) {
    await client.query(
      `insert into documents (id, txn_id, user_id, kind, year, number, seller_id, buyer, tax, subject,
         payment_method, net_cents, tax_cents, total_cents, supplied_at, issued_at)
       select gen_random_uuid(), gen_random_uuid(), ${owner},
         case when n % 3 = 0 then 'receipt' when n % 50 = 1 then 'credit_note' else 'invoice' end,
         $3::integer, $4::integer + n, (select id from sellers order by valid_from desc limit 1),
         jsonb_build_object('email', $1::text, 'first_name', 'Анна', 'last_name', 'Petrova',
           'company_name', 'Beispiel GmbH', 'address_line_1', 'Main Street 1', 'address_line_2', null,
           'zip_code', '10115', 'city', 'Berlin', 'country', 'DE', 'vat_id', 'DE123456789'),
         jsonb_build_object('treatment', 'none', 'rate_bp', 0, 'country', null, 'evidence', null),
         case when n % 3 = 0 then jsonb_build_object('txn', 'top_up')
           else jsonb_build_object('txn', 'renewal', 'server', 'Skyline ' || n % 40,
             'plan', jsonb_build_object('en', 'Plus', 'ru', 'Plus')) end,
         case when n % 6 = 0 then 'paypal' when n % 3 = 0 then 'stripe' else 'balance' end,
         case when n % 3 <> 0 and n % 50 = 1 then -900 else 900 end, 0,
         case when n % 3 <> 0 and n % 50 = 1 then -900 else 900 end, at, at
       from (
         select n, make_timestamptz($3::integer, 1, 1, 0, 0, 0, 'UTC')
           + n * (interval '364 days' / $2::integer) as at
         from generate_series(1, $2::integer) n
       ) rows`,
      [email, count, year, first],
    );
  }
  await client.query("commit");
  // As autovacuum does after so many inserts.
  await client.query("vacuum analyze documents");
}
