import { z } from "zod";
import {
  attackTopMax,
  coursePointsMax,
  courseSteps,
  levelCauses,
  levelChangesMax,
} from "./attack-limits.ts";
import { antibotLevels } from "./plain-values.ts";

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** In the year 2286. */
const secondMax = 9_999_999_999;
const points = z.array(count).max(coursePointsMax);

/**
 * Logins over the time of an attack. All lists are equally long; point `i` begins `i` steps
 * after `from`, which is a whole multiple of the step since 1970, so that the courses of several
 * edges have the same points.
 */
export const attackCourse = z
  .object({
    /** Unix time in seconds. */
    from: z.int().min(0).max(secondMax),
    step: z.literal(courseSteps),
    logins: points,
    /** The most logins in one second of each point. */
    peaks: points,
    /** Logins that reached the backend. */
    admitted: points,
    /** The most datagrams in one second of each point, as of `datagrams_peak`. */
    datagrams: points.optional(),
  })
  .refine(
    ({ from, step, logins, ...others }) =>
      from % step === 0 &&
      [others.peaks, others.admitted, others.datagrams ?? logins].every(
        ({ length }) => length === logins.length,
      ),
  );
export type AttackCourse = z.infer<typeof attackCourse>;

export const attackDetail = z.object({
  /** Logins in a second above which it is an attack. */
  threshold: count,
  /** The same of datagrams, where they were one. */
  datagrams_threshold: count.optional(),
  course: attackCourse,
  /** The AntiBot level at the start, and its changes. */
  levels: z
    .array(
      z.object({
        at: z.iso.datetime(),
        level: z.enum(antibotLevels),
        cause: z.enum(levelCauses),
      }),
    )
    .max(levelChangesMax),
  /** Logins that had an outcome, by the game's edition; earlier edges leave it out. */
  editions: z.object({ java: count, bedrock: count }).optional(),
  /** IPv4. At least so many logins came from each; sources with few are left out. */
  addresses: z.array(z.object({ address: z.ipv4(), logins: count })).max(attackTopMax),
  /** /24 of IPv4 and /64 of IPv6. */
  networks: z
    .array(z.object({ network: z.union([z.cidrv4(), z.cidrv6()]), logins: count }))
    .max(attackTopMax),
  /** Names with each digit written as `#`, such as `Bot_####`. */
  names: z
    .array(z.object({ shape: z.string().regex(/^[\x20-\x7e]{1,16}$/), logins: count }))
    .max(attackTopMax),
});
export type AttackDetail = z.infer<typeof attackDetail>;
