import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { deriveKeys, type Secrets } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { createAcmeCertificates } from "./acme.ts";
import type { Certificate } from "./certificate.ts";
import { readCertificateFiles, watchCertificateFiles } from "./certificate-files.ts";
import { createCertificateStore } from "./certificate-store.ts";
import { createCertificateRenewal } from "./certificate-renewal.ts";
import type { ChallengeAnswers } from "./plain-server.ts";

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
  readonly answerTo: ChallengeAnswers;
  /** Keeps the certificate up to date. Call it once the plain server can answer challenges. */
  start(apply: (certificate: Certificate) => void): void;
  stop(): void;
}

export interface TlsDeps {
  readonly db: Db;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly log: Logger;
}

const filesLookMs = 60_000;
/** Another process may have got a certificate. */
const storeLookMs = 15_000;
/** After a failure of the database. */
const retryMs = 60_000;

/** @throws StartError when the certificate's files are not usable */
export async function openTls(config: TlsConfig, deps: TlsDeps): Promise<Tls> {
  let apply: (certificate: Certificate) => void = () => undefined;
  const { first, answerTo, tasks } = await certificateSource(config, deps, (certificate) =>
    apply(certificate),
  );
  const timers = new Map<Task, NodeJS.Timeout>();
  let isStopped = false;
  const run = async (task: Task): Promise<void> => {
    const waitMs = await task().catch((error: unknown) => {
      deps.log.warn({ err: error }, "The certificate could not be looked after");
      return retryMs;
    });
    if (!isStopped)
      timers.set(
        task,
        setTimeout(() => void run(task), waitMs),
      );
  };
  return {
    first,
    answerTo,
    start(given) {
      apply = given;
      for (const task of tasks) void run(task);
    },
    stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Looks after the certificate. @returns after how long to do so again */
type Task = () => Promise<number>;

interface CertificateSource {
  readonly first: Certificate;
  readonly answerTo: ChallengeAnswers;
  readonly tasks: readonly Task[];
}

async function certificateSource(
  config: TlsConfig,
  deps: TlsDeps,
  apply: (certificate: Certificate) => void,
): Promise<CertificateSource> {
  if (config.kind === "files") {
    const first = await readCertificateFiles(config);
    const look = watchCertificateFiles(config, { first, apply, log: deps.log });
    const answerTo = () => Promise.resolve(undefined);
    return { first, answerTo, tasks: [() => look().then(() => filesLookMs)] };
  }
  const sealer = createSealer(deriveKeys(deps.secrets, "certificates"));
  const store = createCertificateStore({ ...deps, sealer, domain: config.domain });
  const certificates = createAcmeCertificates({ ...config, store });
  const renewal = createCertificateRenewal({ ...deps, certificates, orders: store, apply });
  return {
    first: await renewal.first(),
    answerTo: store.answerTo,
    tasks: [() => renewal.check(), () => renewal.look().then(() => storeLookMs)],
  };
}
