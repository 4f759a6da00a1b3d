import { parseCertificate, type Certificate } from "./certificate.ts";

/** A certificate that no CA has signed: browsers warn of it. */
export async function selfSigned(domain: string): Promise<Certificate> {
  const { default: acme } = await import("acme-client");
  const authorization = { identifier: { type: "dns", value: domain } };
  const [key, cert] = await acme.crypto.createAlpnCertificate(
    // Only the name is read.
    authorization as Parameters<typeof acme.crypto.createAlpnCertificate>[0],
    "temporary",
  );
  return parseCertificate({ cert: cert.toString(), key: key.toString() });
}
