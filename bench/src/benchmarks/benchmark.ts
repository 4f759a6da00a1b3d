import type { Row } from "#src/report/row.ts";

export interface BenchmarkOptions {
  readonly rounds: number;
  /** Duration of one round of one server. */
  readonly seconds: number;
  /** Rows of the benchmarks that fill a table. */
  readonly size: number;
  /** Another checkout whose edge is measured in the same rounds. */
  readonly against: string | undefined;
  readonly say: (line: string) => void;
}

export interface Benchmark {
  readonly name: string;
  /** Why it cannot run here; it is then left out with this reason. */
  readonly missing?: string | undefined;
  /** Runs only when it is named. */
  readonly isExtra?: boolean;
  run(options: BenchmarkOptions): Promise<Row[]>;
}
