import type { AttackPage, SharedAttack } from "@palisade/contract/http/attacks";

/** An attack of twenty minutes with a course, in which the numbers of all parts agree. */
export function livelyAttack<Shown extends SharedAttack>(attack: Shown): Shown {
  const length = 129;
  const strength = (n: number) => (n < 4 ? n : Math.max(0, 120 - n) / 1.2 + 14 * Math.sin(n / 2));
  const peaks = Array.from({ length }, (_, n) => Math.max(0, Math.round(40 * strength(n))));
  return {
    ...attack,
    peak_per_second: Math.max(...peaks),
    logins: peaks.reduce((sum, peak) => sum + 7 * peak, 0),
    course: {
      from: "2026-11-01T11:59:50.000Z",
      step_seconds: 10,
      peaks,
      logins: peaks.map((peak) => 7 * peak),
      admitted: peaks.map((_, n) => (n % 5 === 0 ? 4 : 1)),
      datagrams: null,
    },
    admitted: peaks.reduce((sum, _, n) => sum + (n % 5 === 0 ? 4 : 1), 0),
    names: [
      { shape: "Bot_####", logins: 201_000 },
      { shape: "mc##storm", logins: 41_200 },
      { shape: "x#K##q", logins: 7_100 },
    ],
  };
}

/** Forged pings and requests at a Bedrock port, and no logins. */
export function datagramAttack<Shown extends AttackPage>(attack: Shown): Shown {
  const { levels, ...lively } = livelyAttack(attack);
  const course = lively.course && {
    ...lively.course,
    peaks: lively.course.peaks.map(() => 0),
    logins: lively.course.logins.map(() => 0),
    admitted: lively.course.admitted.map(() => 0),
    datagrams: lively.course.peaks.map((peak) => 19 * peak),
  };
  return {
    ...attack,
    ...lively,
    levels: levels.slice(0, 1),
    peak_per_second: 0,
    datagrams_peak: Math.max(...(course?.datagrams ?? [])),
    datagrams_threshold: 5_000,
    refused: {},
    relaxed_to: null,
    editions: null,
    logins: 0,
    admitted: 0,
    course,
    names: [],
    addresses: [],
    networks: [],
    sample: [],
  };
}

/** The same for the owner, with the levels and the players. */
export function livelyAttackPage(attack: AttackPage): AttackPage {
  const online = Array.from({ length: 48 }, (_, n) => (n > 15 && n < 33 ? 121 : 128) + (n % 4));
  return {
    ...livelyAttack(attack),
    levels: [
      { at: "2026-11-01T12:00:00.000Z", level: "extreme", cause: "start" },
      { at: "2026-11-01T12:06:12.000Z", level: "high", cause: "relaxed" },
      { at: "2026-11-01T12:18:30.000Z", level: "extreme", cause: "end" },
    ],
    players: attack.players && {
      ...attack.players,
      from: "2026-11-01T11:45:00.000Z",
      step_seconds: 60,
      online,
    },
  };
}
