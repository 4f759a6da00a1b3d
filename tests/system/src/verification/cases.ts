import type { AntibotLevel } from "@palisade/contract/edge/plain-values";

export const versions = [
  { version: "1.8.8", player: "Steve", back: "rejoin" },
  { version: "1.12.2", player: "Alexa", back: "rejoin" },
  { version: "1.15.2", player: "Mira", back: "rejoin" },
  { version: "1.16.5", player: "Jonas", back: "rejoin" },
  { version: "1.18.2", player: "Olga", back: "rejoin" },
  { version: "1.19", player: "Pavel", back: "rejoin" },
  { version: "1.19.2", player: "Greta", back: "rejoin" },
  { version: "1.20.1", player: "Hugo", back: "rejoin" },
  { version: "1.20.2", player: "Lena", back: "rejoin" },
  { version: "1.20.4", player: "Boris", back: "rejoin" },
  { version: "1.20.6", player: "Nora", back: "transfer" },
  { version: "1.21.4", player: "Emil", back: "transfer" },
  { version: "1.21.8", player: "Tessa", back: "transfer" },
  { version: "26.1", player: "Ivan", back: "transfer" },
] as const;
export type Version = (typeof versions)[number];

export interface Level {
  readonly name: string;
  readonly antibot: AntibotLevel;
  readonly advanced: boolean;
  readonly isAttacked: boolean;
  /** Whether an unknown player is verified. */
  readonly verifies: boolean;
}

/** Extreme, whose captcha takes its time, is in captcha.test.ts. */
export const levels: readonly Level[] = [
  ...[true, false].flatMap((advanced): Level[] => {
    const level = (antibot: AntibotLevel, isAttacked: boolean, verifies: boolean): Level => ({
      name: `${antibot}${advanced ? "-advanced" : ""}`,
      antibot,
      advanced,
      isAttacked,
      verifies,
    });
    return [level("low", true, false), level("medium", true, true), level("high", false, true)];
  }),
  { name: "calm", antibot: "medium", advanced: true, isAttacked: false, verifies: false },
];

export function hostOf(version: string, level: string): string {
  return `v${version.replaceAll(".", "-")}.${level}.example.org`;
}
