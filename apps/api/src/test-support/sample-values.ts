import type { RouteSample } from "./route-sample.ts";
import type { TestWorld } from "./test-world.ts";

export const nothing: RouteSample = () => ({});
export const ofShield: RouteSample = ({ shieldId }) => ({ params: { id: shieldId } });

let serial = 0;
/** Also part of names that are taken once. */
export const freshNumber = (): number => ++serial;
export const freshEmail = (): string => `sample${freshNumber()}@example.com`;
/** Addresses of their own, so that samples do not meet the limits by address. */
export const freshIp = (): string => `198.19.${Math.floor(serial / 250)}.${(serial % 250) + 1}`;

/** Calls that change how a user logs in are made by a new user: the world's callers must not change. */
export function isSession(world: TestWorld, token: string | undefined): boolean {
  return Object.values(world).some(
    (each) => typeof each === "object" && "token" in each && each.token === token,
  );
}
