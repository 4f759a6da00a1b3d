import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { StartError } from "#src/platform/database/ready.ts";
import { parseCertificate, type Certificate } from "./certificate.ts";

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** @throws StartError naming the settings and what is wrong */
export async function readCertificateFiles(files: CertificateFiles): Promise<Certificate> {
  try {
    return await readPair(files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`PALISADE_TLS_CERTIFICATE and PALISADE_TLS_KEY: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Looks whether the files have changed. A pair that is not usable, as between the writing of the two,
 * is left alone until the next look.
 *
 * @returns a function that looks once
 */
export function watchCertificateFiles(
  files: CertificateFiles,
  deps: {
    readonly first: Certificate;
    readonly apply: (certificate: Certificate) => void;
    readonly log: Pick<Logger, "info" | "warn">;
  },
): () => Promise<void> {
  let current = deps.first;
  return async () => {
    try {
      const found = await readPair(files);
      if (found.cert === current.cert && found.key === current.key) return;
      current = found;
      deps.apply(found);
      deps.log.info({ expires: found.expiresAt }, "The certificate's files have changed");
    } catch (error) {
      deps.log.warn({ err: error }, "The certificate's files are not usable; the one before stays");
    }
  };
}

async function readPair({ certFile, keyFile }: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
  return parseCertificate({ cert, key });
}
