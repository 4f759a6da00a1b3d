import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { ChallengeTokens } from "./plain-server.ts";
import { parseCertificate, type Certificate } from "./certificate.ts";

export interface AcmeOptions {
  readonly directoryUrl: string;
  /** The CA writes there before a certificate expires that was not renewed. */
  readonly email: string | undefined;
  /** The name that the certificate is for. */
  readonly domain: string;
  /** Holds the account's key and the certificate. */
  readonly folder: string;
  /** The answers to challenges, which the plain server gives. */
  readonly tokens: ChallengeTokens;
  /** Between two looks at an order that the CA works on. */
  readonly pollMs?: number;
}

const answerTimeoutMs = 30_000;

/** A certificate of the CA and where it is kept. */
export interface AcmeCertificates {
  /** Undefined: there is none, or it is not for the domain any more. */
  stored(): Promise<Certificate | undefined>;
  /** @throws when the CA cannot be reached or refuses */
  issue(): Promise<Certificate>;
  /** Signed by itself, so that there is a TLS server before the CA has issued the first one. */
  temporary(): Promise<Certificate>;
}

/** Certificates of an ACME CA (RFC 8555), by challenges over HTTP. */
export function createAcmeCertificates(options: AcmeOptions): AcmeCertificates {
  const { domain, folder } = options;
  const certificateFile = path.join(folder, `${domain}.pem`);
  return {
    async stored() {
      const text = await readFile(certificateFile, "utf8").catch(() => undefined);
      return text === undefined ? undefined : splitPem(text);
    },
    async issue() {
      await requireAnswer(options.directoryUrl);
      // Only installations that use it pay for loading it.
      const { default: acme } = await import("acme-client");
      acme.axios.defaults.timeout = answerTimeoutMs;
      const client = new acme.Client({
        directoryUrl: options.directoryUrl,
        accountKey: await accountKey(path.join(folder, "account.pem"), () =>
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
          options.tokens.set(token, answer);
        },
        challengeRemoveFn: async (_authorization, { token }) => {
          options.tokens.delete(token);
        },
      });
      const certificate = parseCertificate({ cert: chain, key: key.toString() });
      await replacePrivateFile(certificateFile, `${certificate.key.trim()}\n${certificate.cert}`);
      return certificate;
    },
    async temporary() {
      const { default: acme } = await import("acme-client");
      const authorization = { identifier: { type: "dns", value: domain } };
      const [key, cert] = await acme.crypto.createAlpnCertificate(
        // Only the name is read.
        authorization as Parameters<typeof acme.crypto.createAlpnCertificate>[0],
        "temporary",
      );
      return parseCertificate({ cert: cert.toString(), key: key.toString() });
    },
  };
}

/** The library would try again for minutes, and then not say what is wrong. */
async function requireAnswer(directoryUrl: string): Promise<void> {
  const answer = await fetch(directoryUrl, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(
    (error: unknown) => {
      throw new Error(`The CA at ${directoryUrl} does not answer`, { cause: error });
    },
  );
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The CA at ${directoryUrl} answers ${answer.status}`);
}

async function accountKey(file: string, make: () => Promise<Buffer>): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return known;
  const made = (await make()).toString();
  await replacePrivateFile(file, made);
  return made;
}

/** Undefined for a file that is cut or not ours: another certificate is issued. */
function splitPem(text: string): Certificate | undefined {
  const end = text.indexOf("-----BEGIN CERTIFICATE-----");
  try {
    return parseCertificate({ key: text.slice(0, end), cert: text.slice(end) });
  } catch {
    return undefined;
  }
}

async function replacePrivateFile(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.fresh`;
  const handle = await open(fresh, "w", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}
