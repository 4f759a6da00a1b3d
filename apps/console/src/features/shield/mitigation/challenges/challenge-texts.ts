import { useLingui } from "@lingui/react/macro";
import type { ChallengeGrade } from "@palisade/contract/edge/plain-values";

export interface CheckTexts {
  readonly name: string;
  readonly does: string;
  readonly stops: string;
  /** An estimate for a usual connection, by the ticks of the game that the check takes. */
  readonly typicalMs: number;
  /** The versions that it is for; undefined: all. */
  readonly versions?: string;
}

export interface GradeTexts {
  readonly name: string;
  /** When it is asked for, in general. */
  readonly when: string;
  readonly checks: readonly CheckTexts[];
}

/** Grades that begin with all checks of another one. */
const before: Readonly<Partial<Record<ChallengeGrade, ChallengeGrade>>> = {
  gravity: "protocol",
  captcha: "gravity",
  premium: "protocol",
};

/** From the login to the end of the last check, for a player whose connection is usual. */
export function typicalMsOf(
  grade: ChallengeGrade,
  texts: Readonly<Record<ChallengeGrade, GradeTexts>>,
): number {
  const own = texts[grade].checks.reduce((sum, { typicalMs }) => sum + typicalMs, 0);
  const weaker = before[grade];
  return weaker === undefined ? own : own + typicalMsOf(weaker, texts);
}

/** Each grade and the checks it consists of, in the words of the page. */
export function useGradeTexts(): Readonly<Record<ChallengeGrade, GradeTexts>> {
  const { t } = useLingui();
  return {
    protocol: {
      name: t`Game check`,
      when: t`Medium during an attack, High and Extreme always`,
      checks: [
        {
          name: t`Keep-alive and settings`,
          does: t`The game must send random numbers back in time. With Advanced AntiBot, its settings and its brand must make sense, too.`,
          stops: t`Scripts that only send a login, and flooding tools.`,
          typicalMs: 300,
        },
      ],
    },
    gravity: {
      name: t`Movement check`,
      when: t`High and Extreme always`,
      checks: [
        {
          name: t`Gravity and platform`,
          does: t`The player stands in an empty world, must fall exactly as their version of the game falls, and land on a platform.`,
          stops: t`Bots without the physics of the game, and bots that only know how to fall.`,
          typicalMs: 1_500,
        },
        {
          name: t`Teleports`,
          does: t`Several teleports must be confirmed in their order, each from the right place.`,
          stops: t`Recordings of a real player, and bots that answer everything at once.`,
          typicalMs: 300,
        },
        {
          name: t`Held item`,
          does: t`The edge selects a random place of the hotbar, and the game must follow.`,
          stops: t`Bots that know movement alone.`,
          typicalMs: 200,
        },
      ],
    },
    captcha: {
      name: t`Captcha`,
      when: t`Extreme always`,
      checks: [
        {
          name: t`Boat`,
          does: t`The player sits in a boat for half a second, and the game must move the boat.`,
          stops: t`Bots that fall by a formula, and bots without a world.`,
          typicalMs: 700,
          versions: t`from 1.9 on`,
        },
        {
          name: t`Resource pack`,
          does: t`The game must answer to a resource pack that cannot be loaded. The player sees nothing of it.`,
          stops: t`Bots that accept or decline every pack.`,
          typicalMs: 100,
          versions: t`from 1.20.3 on`,
        },
        {
          name: t`Code on a map`,
          does: t`The player reads a code on a map in their hand and types it in the chat. There are three tries.`,
          stops: t`Bots that play like the real game. Only people, or bots with a captcha solver, get in.`,
          typicalMs: 12_000,
        },
      ],
    },
    premium: {
      name: t`Account check`,
      when: t`Secure profiles, at any level`,
      checks: [
        {
          name: t`Paid account`,
          does: t`Mojang's session server must confirm that the player owns the game.`,
          stops: t`Every account that was not bought, people included.`,
          typicalMs: 1_500,
        },
      ],
    },
  };
}
