/** The traits of a caller that an account knows from earlier logins. */
export interface Familiarity {
  /** Hash of the device's token; null where the account does not know the device. */
  readonly device: string | null;
  /** As `networkOf` writes it; null where the account does not know the network. */
  readonly network: string | null;
}

export const unfamiliar: Familiarity = { device: null, network: null };

/** How well an account knows a caller: each of the three has its own limits, tries and codes. */
const callerClasses = ["stranger", "network", "device"] as const;
export type CallerClass = (typeof callerClasses)[number];

export function callerClass({ device, network }: Familiarity): CallerClass {
  if (device !== null) return "device";
  return network === null ? "stranger" : "network";
}

/** The class and all that the account knows less well. */
export function callersUpTo(caller: CallerClass): readonly CallerClass[] {
  return callerClasses.slice(0, callerClasses.indexOf(caller) + 1);
}

/** The part of a request by which a caller is recognised. */
interface Traits {
  readonly ip: string;
  cookie(name: string): string | undefined;
}

/** Implemented by the feature that remembers devices and networks. */
export interface KnownCallers {
  /** Whether the caller has a device cookie that we signed, for whatever account. */
  bearsDevice(caller: Traits): boolean;
  /** One statement, whether or not the e-mail has an account. */
  familiarity(caller: Traits, email: string): Promise<Familiarity>;
}
