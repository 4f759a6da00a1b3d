import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type CertificateWatch = Database["certificate_watches"];

/** Made with the first look, as of a certificate that is valid. */
export async function readWatch(trx: Trx, domain: string, now: Date): Promise<CertificateWatch> {
  const { rows } = await sql<CertificateWatch>`
    insert into certificate_watches as watch (domain, told, seen, seen_since)
    values (${domain}, 'valid', 'valid', ${now})
    on conflict (domain) do update set domain = watch.domain
    returning domain, told, seen, seen_since
  `.execute(trx);
  const [watch] = rows;
  if (watch === undefined) throw new Error("The row was just written");
  return watch;
}

export async function saveWatch(trx: Trx, watch: CertificateWatch): Promise<void> {
  const { domain, ...values } = watch;
  await trx.updateTable("certificate_watches").set(values).where("domain", "=", domain).execute();
}
