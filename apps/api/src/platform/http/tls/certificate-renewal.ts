import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { AcmeCertificates } from "./acme.ts";
import { renewalTime, type Certificate } from "./certificate.ts";

export interface CertificateRenewal {
  /** The certificate to begin with. It never waits for the CA. */
  first(): Promise<Certificate>;
  /** Renews where it is time. @returns after how long to look again */
  check(): Promise<number>;
}

export interface RenewalDeps {
  readonly certificates: AcmeCertificates;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Puts the certificate to use; open connections keep theirs. */
  readonly apply: (certificate: Certificate) => void;
}

const lookMs = 3_600_000;
/** After failures in a row. CAs limit how often one may fail. */
const retryMs = [60_000, 300_000, 900_000, lookMs, 6 * lookMs] as const;
const warnedDays = 14;
const dayMs = 86_400_000;

/** Keeps the certificate valid. A CA that is away costs nothing until the certificate expires. */
export function createCertificateRenewal(deps: RenewalDeps): CertificateRenewal {
  const { certificates, clock, log } = deps;
  const metrics = createCertificateMetrics(deps.metrics);
  let current: Certificate | undefined;
  let failures = 0;

  function use(certificate: Certificate): void {
    current = certificate;
    metrics.expires(certificate);
    deps.apply(certificate);
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
    async check() {
      const now = clock.now();
      if (current !== undefined && now < renewalTime(current)) return lookMs;
      try {
        use(await certificates.issue());
        failures = 0;
        log.info({ expires: current?.expiresAt }, "The CA has issued a certificate");
        return lookMs;
      } catch (error) {
        const waitMs = retryMs[Math.min(failures++, retryMs.length - 1)] ?? lookMs;
        metrics.failed();
        const isUrgent = daysLeft(current, now) < warnedDays;
        log[isUrgent ? "error" : "warn"](
          { err: error, days_left: daysLeft(current, now), retry_seconds: waitMs / 1000 },
          "The CA has not issued a certificate; the present one stays in use",
        );
        return waitMs;
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
