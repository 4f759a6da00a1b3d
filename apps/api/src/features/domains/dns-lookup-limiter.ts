/** The caller of a lookup; a job acts for no user. */
export type DnsLookupCaller =
  | { readonly kind: "wizard" | "doctor"; readonly userId: string }
  | { readonly kind: "job" };

export interface DnsLookupLimits {
  /** Lookups at the same time per kind, so that one kind takes nothing from another. */
  readonly perKind: Readonly<Record<DnsLookupCaller["kind"], number>>;
  /** Lookups of one user at the same time, per kind. */
  readonly perUser: number;
  /** Lookups of one user that wait; further ones fail at once instead of piling up. */
  readonly waitingPerUser: number;
}

export interface DnsLookupLimiter {
  /** Resolves to a function to call after the lookup, or to undefined when no slot is free in time. */
  enter(by: DnsLookupCaller, timeoutMs: number): Promise<(() => void) | undefined>;
}

interface Waiting {
  readonly kind: DnsLookupCaller["kind"];
  readonly user: string;
  readonly resume: () => void;
}

/** Gives the next free slot to the user with the fewest running lookups; ties go to the first caller. */
export function createDnsLookupLimiter(shares: DnsLookupLimits): DnsLookupLimiter {
  const busy = new Map<string, number>();
  const line = new Set<Waiting>();
  const countOf = (key: string): number => busy.get(key) ?? 0;
  const add = (key: string, change: number): void => {
    const count = countOf(key) + change;
    if (count > 0) busy.set(key, count);
    else busy.delete(key);
  };
  const hasRoom = ({ kind, user }: Pick<Waiting, "kind" | "user">): boolean =>
    countOf(kind) < shares.perKind[kind] && (kind === "job" || countOf(user) < shares.perUser);

  function start({ kind, user }: Pick<Waiting, "kind" | "user">): () => void {
    add(kind, 1);
    add(user, 1);
    return () => {
      add(kind, -1);
      add(user, -1);
      const [next] = [...line]
        .filter(hasRoom)
        .toSorted((one, other) => countOf(one.user) - countOf(other.user));
      next?.resume();
    };
  }

  return {
    async enter(by, timeoutMs) {
      const { kind } = by;
      const user = by.kind === "job" ? "job of no user" : `${by.kind} of ${by.userId}`;
      if (hasRoom({ kind, user })) return start({ kind, user });
      const waiting = [...line].filter((each) => each.user === user).length;
      if (waiting >= shares.waitingPerUser) return undefined;
      return new Promise((resolve) => {
        const leave = (slot: (() => void) | undefined): void => {
          clearTimeout(limit);
          line.delete(own);
          resolve(slot);
        };
        const own: Waiting = { kind, user, resume: () => leave(start({ kind, user })) };
        const limit = setTimeout(() => leave(undefined), timeoutMs);
        line.add(own);
      });
    },
  };
}
