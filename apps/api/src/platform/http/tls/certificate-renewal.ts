import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { AcmeCertificates } from "./acme.ts";
import type { CertificateStore } from "./certificate-store.ts";
import { renewalTime, type Certificate } from "./certificate.ts";

export interface CertificateRenewal {
  /** The certificate to begin with. It never waits for the CA. */
  first(): Promise<Certificate>;
  /** Puts to use what another process has got. */
  look(): Promise<void>;
  /** Renews where it is time and no other process does. @returns after how long to check again */
  check(): Promise<number>;
}

export interface RenewalDeps {
  readonly certificates: AcmeCertificates;
  /** Gives the processes of an installation their turn. */
  readonly orders: Pick<CertificateStore, "takeOrder" | "orderEnd" | "failed" | "release">;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Puts the certificate to use; open connections keep theirs. */
  readonly apply: (certificate: Certificate) => void;
}

const lookMs = 3_600_000;
/** While another process has its turn. */
const turnMsMin = 1_000;
/** After failures in a row, of all processes together. CAs limit how often one may fail. */
const retryMs = [60_000, 300_000, 900_000, lookMs, 6 * lookMs] as const;
const warnedDays = 14;
const dayMs = 86_400_000;

/** Keeps the certificate valid. A CA that is away costs nothing until the certificate expires. */
export function createCertificateRenewal(deps: RenewalDeps): CertificateRenewal {
  const { certificates, orders, clock, log } = deps;
  const metrics = createCertificateMetrics(deps.metrics);
  let current: Certificate | undefined;

  function use(certificate: Certificate): void {
    current = certificate;
    metrics.expires(certificate);
    deps.apply(certificate);
  }

  async function look(): Promise<void> {
    const stored = await certificates.stored();
    if (stored !== undefined && stored.cert !== current?.cert) use(stored);
  }

  async function isDue(): Promise<boolean> {
    await look();
    return current === undefined || clock.now() >= renewalTime(current);
  }

  async function untilTurn(now: Date): Promise<number> {
    const end = await orders.orderEnd();
    const waitMs = (end?.getTime() ?? 0) - now.getTime();
    return Math.min(Math.max(waitMs, turnMsMin), lookMs);
  }

  async function failed(error: unknown, failures: number): Promise<number> {
    const waitMs = retryMs[Math.min(failures, retryMs.length - 1)] ?? lookMs;
    metrics.failed();
    const left = daysLeft(current, clock.now());
    log[left < warnedDays ? "error" : "warn"](
      { err: error, days_left: left, retry_seconds: waitMs / 1000 },
      "The CA has not issued a certificate; the present one stays in use",
    );
    await orders.failed(waitMs);
    return waitMs;
  }

  return {
    async first() {
      const stored = await certificates.stored();
      const begin = stored ?? (await certificates.temporary());
      if (stored !== undefined) {
        current = stored;
        metrics.expires(stored);
      }
      return begin;
    },
    look,
    async check() {
      if (!(await isDue())) return lookMs;
      const failures = await orders.takeOrder();
      if (failures === undefined) return untilTurn(clock.now());
      // Another process may have got one since then.
      if (!(await isDue())) return orders.release().then(() => lookMs);
      try {
        use(await certificates.issue());
        log.info({ expires: current?.expiresAt }, "The CA has issued a certificate");
        return lookMs;
      } catch (error) {
        return failed(error, failures);
      }
    },
  };
}

function daysLeft(certificate: Certificate | undefined, now: Date): number {
  if (certificate === undefined) return 0;
  return Math.floor((certificate.expiresAt.getTime() - now.getTime()) / dayMs);
}

function createCertificateMetrics(registry: Registry) {
  const expires = new Gauge({
    name: "palisade_certificate_expires_timestamp_seconds",
    help: "When the certificate in use expires",
    registers: [registry],
  });
  const failures = new Counter({
    name: "palisade_certificate_failures_total",
    help: "Tries to get a certificate from the CA that failed",
    registers: [registry],
  });
  return {
    expires: ({ expiresAt }: Certificate) => expires.set(expiresAt.getTime() / 1000),
    failed: () => failures.inc(),
  };
}
