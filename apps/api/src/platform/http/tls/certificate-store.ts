import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { parseCertificate, type Certificate } from "./certificate.ts";
import {
  countFailure,
  deleteAnswer,
  insertAnswer,
  keepAccountKey,
  releaseOrder,
  selectAccountKey,
  selectAnswers,
  selectCertificate,
  selectOrderEnd,
  takeOrder,
  updateCertificate,
} from "./certificates.repository.ts";
import { createSharedRead } from "./shared-read.ts";

/** An order that takes longer is taken for that of a process that died. */
const orderMs = 300_000;
const challengeMs = 3_600_000;

export type CertificateStore = ReturnType<typeof createCertificateStore>;

/**
 * The certificate of the installation, its account at the CA and the challenges under way, in the
 * database: one process orders at a time, and each one answers challenges and serves what is issued.
 * Private keys are encrypted by the installation's secret.
 */
export function createCertificateStore(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly domain: string;
}) {
  const { db, clock, sealer, domain } = deps;
  const from = (lifeMs: number) => {
    const now = clock.now();
    return { now, until: new Date(now.getTime() + lifeMs) };
  };
  // Strangers may ask for challenges as often as they like; that costs one query at a time.
  const answers = createSharedRead(() => selectAnswers(db, clock.now()));

  return {
    /** Undefined: there is none, or its key was encrypted under a secret that is not known. */
    async read(): Promise<Certificate | undefined> {
      const row = await selectCertificate(db, domain);
      if (row === undefined) return undefined;
      try {
        return parseCertificate({ cert: row.chain, key: sealer.open(row.sealedKey, domain) });
      } catch {
        return undefined;
      }
    },
    save: ({ cert, key }: Certificate) =>
      updateCertificate(db, domain, { chain: cert, sealedKey: sealer.seal(key, domain) }),

    /** @returns how many tries have failed in a row; undefined where it is not this process's turn */
    takeOrder: () => takeOrder(db, domain, from(orderMs)),
    release: () => releaseOrder(db, domain),
    orderEnd: () => selectOrderEnd(db, domain),
    failed: (retryMs: number) => countFailure(db, domain, from(retryMs).until),

    async accountKey(directoryUrl: string, make: () => Promise<Buffer>): Promise<string> {
      const sealed =
        (await selectAccountKey(db, directoryUrl)) ??
        (await keepAccountKey(
          db,
          directoryUrl,
          sealer.seal((await make()).toString(), directoryUrl),
        ));
      return sealer.open(sealed, directoryUrl);
    },

    putAnswer: (token: string, answer: string) =>
      insertAnswer(db, { token, answer }, from(challengeMs)),
    removeAnswer: (token: string) => deleteAnswer(db, token),
    answerTo: async (token: string) => (await answers()).get(token),
  };
}
