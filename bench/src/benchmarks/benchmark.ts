import type { Row } from "#src/report/row.ts";

export interface BenchmarkOptions {
  readonly rounds: number;
  /** Of one round of one server. */
  readonly seconds: number;
  /** Another checkout, whose edge is compared in the same rounds. */
  readonly against: string | undefined;
  readonly say: (line: string) => void;
}

export interface Benchmark {
  readonly name: string;
  /** What it needs and is not there: then it is left out, with this as the reason. */
  readonly missing?: string | undefined;
  /** Runs only when it is asked for by name. */
  readonly isExtra?: boolean;
  run(options: BenchmarkOptions): Promise<Row[]>;
}
