import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

/** A certificate with its chain and its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly startsAt: Date;
  readonly expiresAt: Date;
}

/** @throws Error that says what is wrong, without the key */
export function parseCertificate({ cert, key }: Pick<Certificate, "cert" | "key">): Certificate {
  const leaf = parsedLeaf(cert);
  try {
    if (!leaf.checkPrivateKey(createPrivateKey(key))) {
      throw new Error("the private key belongs to another certificate");
    }
  } catch (error) {
    throw new Error(`The private key is not usable: ${messageOf(error)}`, { cause: error });
  }
  // What Node cannot serve fails here, not at a browser's connection.
  createSecureContext({ cert, key });
  return { cert, key, startsAt: new Date(leaf.validFrom), expiresAt: new Date(leaf.validTo) };
}

function parsedLeaf(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (error) {
    throw new Error("The certificate is no PEM file with a certificate first", { cause: error });
  }
}

/** From when on a new one is to be had: a third of its time is left for a CA that is away. */
export function renewalTime({ startsAt, expiresAt }: Certificate): Date {
  const lifeMs = expiresAt.getTime() - startsAt.getTime();
  return new Date(expiresAt.getTime() - lifeMs / 3);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
