/** Between the soak and the process of its Bedrock players. */
export type PlayersOrder =
  | { readonly do: "join"; readonly host: string; readonly port: number; readonly players: number }
  /** Newcomers come until `measure`. */
  | { readonly do: "welcome" }
  | { readonly do: "measure" };

export interface BedrockMeasurement {
  readonly kind: "measured";
  /** Since the start of the measurement, of players that were there before. */
  readonly echoes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Players whose connection has ended, and those that got no echo during the measurement. */
  readonly lost: number;
  readonly silent: number;
  readonly newcomers: {
    readonly tried: number;
    readonly joined: number;
    readonly slowestMs: number;
  };
  readonly failures: readonly string[];
  /** Connections that the backend has. */
  readonly sessions: number;
}
