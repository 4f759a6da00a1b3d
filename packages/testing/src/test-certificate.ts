import { webcrypto, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";

export interface TestCertificate {
  /** PEM, as the key. */
  readonly cert: string;
  readonly key: string;
  readonly expiresAt: Date;
}

/** A certificate that has signed itself, from now on. */
export async function createTestCertificate(
  domain: string,
  lifeMs: number,
): Promise<TestCertificate> {
  x509.cryptoProvider.set(webcrypto);
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${domain}`,
    keys,
    notBefore: new Date(now),
    notAfter: new Date(now + lifeMs),
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "dns", value: domain }])],
  });
  const cert = certificate.toString("pem");
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  const key = x509.PemConverter.encode(pkcs8, "PRIVATE KEY");
  return { cert, key, expiresAt: new Date(new X509Certificate(cert).validTo) };
}
