import { hash, verify } from "@node-rs/argon2";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** OWASP's minimum for argon2id, the default algorithm: 19 MiB and two passes, some 30 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const concurrentMax = 4;
const waitingMax = 200;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** The same for the same text and salt, so that it can be looked up; the salt is base64url. */
  stretch(text: string, salt: string): Promise<string>;
  /** Without a hash it does the same work and answers false. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

/** Hashing costs memory and CPU by design, so few run at once and a flood is refused. */
export async function createPasswords(): Promise<Passwords> {
  const inTurn = createConcurrencyLimit(concurrentMax, waitingMax);
  const unmatchableHash = await hash("the password of no account", cost);
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    stretch: (text, salt) =>
      inTurn(() => hash(text, { ...cost, salt: Buffer.from(salt, "base64url") })),
    async verify(passwordHash, password) {
      const matches = await inTurn(() => verify(passwordHash ?? unmatchableHash, password));
      return matches && passwordHash !== undefined;
    },
  };
}

function createConcurrencyLimit(
  runningMax: number,
  queueMax: number,
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= queueMax)
        throw new DomainError("unavailable", { retryAfterSeconds: 5 });
      // The work that ends passes its turn on, so `running` stays the same.
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
