import { X509Certificate } from "node:crypto";
import type { Db } from "#src/platform/database/db.ts";
import { readCertificateFiles } from "./certificate-files.ts";
import { selectOrders } from "./certificates.repository.ts";
import type { TlsConfig } from "./tls.ts";

/** How the certificate of the installation is, as far as its owner has to know. */
export interface CertificateCondition {
  readonly domain: string;
  /** Undefined while there is none. */
  readonly startsAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  /** The CA issues no new one, or the files are not usable. */
  readonly isFailing: boolean;
}

/**
 * Looks at the certificate that the processes of the installation share, or at the files of this one.
 *
 * @param host of the public URL
 */
export async function readCertificateCondition(
  config: TlsConfig,
  { db, host }: { readonly db: Db; readonly host: string },
): Promise<CertificateCondition> {
  if (config.kind === "files") {
    try {
      const { startsAt, expiresAt } = await readCertificateFiles(config);
      return { domain: host, startsAt, expiresAt, isFailing: false };
    } catch {
      return { domain: host, isFailing: true };
    }
  }
  const { domain } = config;
  const row = await selectOrders(db, domain);
  const isFailing = (row?.failures ?? 0) > 0;
  if (row?.chain == null) return { domain, isFailing };
  const { validFrom, validTo } = new X509Certificate(row.chain);
  return { domain, startsAt: new Date(validFrom), expiresAt: new Date(validTo), isFailing };
}
