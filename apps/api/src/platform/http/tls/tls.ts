import path from "node:path";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Clock } from "#src/platform/clock/clock.ts";
import { createAcmeCertificates } from "./acme.ts";
import type { Certificate } from "./certificate.ts";
import { readCertificateFiles, watchCertificateFiles } from "./certificate-files.ts";
import { createCertificateRenewal } from "./certificate-renewal.ts";
import type { ChallengeTokens } from "./plain-server.ts";

export type TlsConfig =
  | { readonly kind: "files"; readonly certFile: string; readonly keyFile: string }
  | {
      readonly kind: "acme";
      readonly directoryUrl: string;
      readonly email: string | undefined;
      readonly domain: string;
    };

export interface Tls {
  readonly first: Certificate;
  readonly tokens: ChallengeTokens;
  /** Keeps the certificate up to date. Call it once the plain server can answer challenges. */
  start(apply: (certificate: Certificate) => void): void;
  stop(): void;
}

export interface TlsDeps {
  readonly home: string;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly log: Logger;
}

const filesLookMs = 60_000;

/** @throws StartError when the certificate's files are not usable */
export async function openTls(config: TlsConfig, deps: TlsDeps): Promise<Tls> {
  const tokens: ChallengeTokens = new Map();
  let apply: (certificate: Certificate) => void = () => undefined;
  const { first, check } = await certificateSource(config, tokens, deps, (certificate) =>
    apply(certificate),
  );
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const waitMs = await check();
    if (!isStopped) timer = setTimeout(() => void look(), waitMs);
  };
  return {
    first,
    tokens,
    start(given) {
      apply = given;
      void look();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function certificateSource(
  config: TlsConfig,
  tokens: ChallengeTokens,
  deps: TlsDeps,
  apply: (certificate: Certificate) => void,
): Promise<{ readonly first: Certificate; readonly check: () => Promise<number> }> {
  if (config.kind === "files") {
    const first = await readCertificateFiles(config);
    const look = watchCertificateFiles(config, { first, apply, log: deps.log });
    return { first, check: () => look().then(() => filesLookMs) };
  }
  const folder = path.join(deps.home, "tls");
  const certificates = createAcmeCertificates({ ...config, folder, tokens });
  const renewal = createCertificateRenewal({ ...deps, certificates, apply });
  return { first: await renewal.first(), check: () => renewal.check() };
}
