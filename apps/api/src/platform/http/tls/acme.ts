import type { CertificateStore } from "./certificate-store.ts";
import { parseCertificate, type Certificate } from "./certificate.ts";
import { selfSigned } from "./self-signed.ts";

export interface AcmeOptions {
  readonly directoryUrl: string;
  /** The CA writes there before a certificate expires that was not renewed. */
  readonly email: string | undefined;
  /** The name that the certificate is for. */
  readonly domain: string;
  /** Holds the account's key, the certificate, and the answers to challenges. */
  readonly store: Pick<
    CertificateStore,
    "read" | "save" | "accountKey" | "putAnswer" | "removeAnswer"
  >;
  /** Between two looks at an order that the CA works on. */
  readonly pollMs?: number;
}

const answerTimeoutMs = 30_000;

/** A certificate of the CA and where it is kept. */
export interface AcmeCertificates {
  /** Undefined: there is none that can be used. */
  stored(): Promise<Certificate | undefined>;
  /** @throws when the CA cannot be reached or refuses */
  issue(): Promise<Certificate>;
  /** Signed by itself, so that there is a TLS server before the CA has issued the first one. */
  temporary(): Promise<Certificate>;
}

/** Certificates of an ACME CA (RFC 8555), by challenges over HTTP. */
export function createAcmeCertificates(options: AcmeOptions): AcmeCertificates {
  const { domain, store } = options;
  return {
    stored: () => store.read(),
    async issue() {
      await requireAnswer(options.directoryUrl);
      // Only installations that use it pay for loading it.
      const { default: acme } = await import("acme-client");
      Object.assign(acme.axios.defaults, { timeout: answerTimeoutMs, maxRedirects: 0 });
      const client = new acme.Client({
        directoryUrl: options.directoryUrl,
        accountKey: await store.accountKey(options.directoryUrl, () =>
          acme.crypto.createPrivateEcdsaKey(),
        ),
        ...(options.pollMs === undefined ? {} : { backoffMin: options.pollMs }),
      });
      const [key, csr] = await acme.crypto.createCsr(
        { altNames: [domain] },
        await acme.crypto.createPrivateEcdsaKey(),
      );
      const chain = await client.auto({
        csr,
        ...(options.email === undefined ? {} : { email: options.email }),
        termsOfServiceAgreed: true,
        challengePriority: ["http-01"],
        // The CA looks from outside, where this machine may not reach itself.
        skipChallengeVerification: true,
        challengeCreateFn: async (_authorization, { token }, answer) => {
          await store.putAnswer(token, answer);
        },
        challengeRemoveFn: async (_authorization, { token }) => {
          await store.removeAnswer(token);
        },
      });
      const certificate = parseCertificate({ cert: chain, key: key.toString() });
      await store.save(certificate);
      return certificate;
    },
    temporary: () => selfSigned(domain),
  };
}

/** The library would try again for minutes, and then not say what is wrong. */
async function requireAnswer(directoryUrl: string): Promise<void> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const answer = await fetch(directoryUrl, { signal, redirect: "manual" }).catch(
    (error: unknown) => {
      throw new Error(`The CA at ${directoryUrl} does not answer`, { cause: error });
    },
  );
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The CA at ${directoryUrl} answers ${answer.status}`);
}
