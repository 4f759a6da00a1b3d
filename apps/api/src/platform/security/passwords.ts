import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** OWASP's minimum for argon2id, the default algorithm: 19 MiB and two passes, some 30 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const concurrentMax = 4;
const waitingMax = 200;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Does the same work where there is no user, and then answers false. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

/** Hashing costs memory and CPU by design, so few run at once and a flood is shed. */
export async function createPasswords(): Promise<Passwords> {
  const inTurn = createTurnstile(concurrentMax, waitingMax);
  const nobody = await hash("a password nobody has", cost);
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    async verify(passwordHash, password) {
      const matches = await inTurn(() => verify(passwordHash ?? nobody, password));
      return matches && passwordHash !== undefined;
    },
  };
}

function createTurnstile(
  runningMax: number,
  queueMax: number,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= queueMax)
        throw new DomainError("unavailable", { retryAfterSeconds: 5 });
      // The one that ends hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
